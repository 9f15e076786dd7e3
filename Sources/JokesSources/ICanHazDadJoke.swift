import JSON
import JokesCore

extension JSONSource {
    /// Reads https://icanhazdadjoke.com: an empty search lists all jokes in pages.
    ///
    /// The number of pages ends a full sync, because `next_page` of the last page is the same page. An error may have the
    /// HTTP status 200, and its own status in the body.
    static func iCanHazDadJoke(_ source: SourceConfiguration, _ upstream: Upstream) -> JSONSource {
        var mapping = JSONMapping(SourceEntry(.json, items: "/results", map: [.id: "/id", .text: "/joke"]))
        (mapping.strategy, mapping.size) = (.page, 30)
        mapping.pages = JSONPointer(steps: ["total_pages"])
        mapping.total = JSONPointer(steps: ["total_jokes"])
        mapping.error = [JSONCondition(JSONPointer(steps: ["status"]), .differs(.number(200)))]
        return JSONSource(source, upstream.at("\(upstream.base)/search?limit={limit}&page={page}"), mapping)
    }
}
