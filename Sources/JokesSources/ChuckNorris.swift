import JSON
import JokesCore

extension JSONSource {
    /// Reads https://api.chucknorris.io: one search has all jokes, because every joke has the name.
    ///
    /// The categories `explicit`, `political` and `religion` are flags. Most jokes have no category, and are unrated.
    static func chuckNorris(_ source: SourceConfiguration, _ upstream: Upstream) -> JSONSource {
        var entry = SourceEntry(.json, items: "/result")
        entry.map = [.id: "/id", .text: "/value", .categories: "/categories", .url: "/url", .date: "/created_at"]
        entry.flags = ["/categories"]
        var mapping = JSONMapping(entry)
        mapping.total = JSONPointer(steps: ["total"])
        mapping.flagNames = ["explicit": "explicit", "political": "political", "religion": "religious"]
        return JSONSource(source, upstream.at("\(upstream.base)/jokes/search?query=chuck"), mapping)
    }
}
