import JSON
import JokesCore

extension JSONSource {
    /// Reads https://icanhazdadjoke.com: an empty search lists all jokes in pages.
    ///
    /// The number of pages ends a full sync, because `next_page` of the last page is the same page. An error may have the
    /// HTTP status 200, and its own status in the body.
    static func iCanHazDadJoke(_ source: SourceConfiguration, _ upstream: Upstream) -> JSONSource {
        var mapping = JSONMapping()
        (mapping.strategy, mapping.size) = (.page, 30)
        mapping.pages = JSONPointer(steps: ["total_pages"])
        mapping.total = JSONPointer(steps: ["total_jokes"])
        mapping.items = JSONPointer(steps: ["results"])
        mapping.fields = [.id: [JSONPointer(steps: ["id"])], .text: [JSONPointer(steps: ["joke"])]]
        mapping.error = [JSONCondition(JSONPointer(steps: ["status"]), .differs(.number(200)))]
        var source = source
        source.json = mapping
        let base = upstream.url.hasSuffix("/") ? String(upstream.url.dropLast()) : upstream.url
        return JSONSource(source, upstream.at("\(base)/search?limit={limit}&page={page}"))
    }
}
