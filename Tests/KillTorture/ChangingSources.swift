import JokesCore
import TestSupport

/// Sources on the loopback interface that never repeat a joke. Each full sync gets a new generation of jokes, in pages.
/// The daemon stores a page in slices.
final class ChangingSources: Sendable {
    /// A requested page.
    struct Page: Hashable, Sendable {
        let source: String
        let generation: Int
        let number: Int
    }

    static let names = ["a", "b", "c", "d", "e", "f"]
    static let pagesOfFullSync = 8

    private struct State {
        var generations: [String: Int] = [:]
        /// Computed on first use of `pages`, so that an answer does not wait for it.
        var fingerprints: [Page: [Fingerprint]?] = [:]
    }

    private let server: LoopbackServer
    private let state = Locked(State())

    init() throws {
        server = try LoopbackServer()
        for name in Self.names {
            server.route("/\(name)") { [weak self] request in
                self?.answer(name, at: request.query["at"]) ?? LoopbackAnswer(status: 500)
            }
        }
    }

    /// The daemon's configuration: the sources sync only on a refresh, and the cache fills up soon.
    func configuration(maxJokes: Int) -> String {
        let sources = Self.names.map { name in
            """
            {"name": "\(name)", "type": "json", "url": "\(server.url)/\(name)?at={cursor}", "strategy": "cursor",
             "next": "/next", "items": "/jokes", "map": {"id": "/id", "text": "/text"}, "language": "en",
             "safety": "safe", "allowLocalNetwork": true, "interval": "7d"}
            """
        }
        return """
            {"sources": [\(sources.joined(separator: ",\n"))], "cache": {"maxJokes": \(maxJokes)}}
            """
    }

    /// Pages of one slice and of several slices.
    static func jokesOfPage(_ source: String) -> Int {
        source < "d" ? 250 : 1_200
    }

    /// The fingerprints of the jokes on each page requested so far.
    var pages: [Page: [Fingerprint]] {
        state.withLock { state in
            for page in state.fingerprints.keys where state.fingerprints[page] == .some(nil) {
                state.fingerprints[page] = .some(Self.ids(page).map(Self.fingerprint))
            }
            return state.fingerprints.compactMapValues(\.self)
        }
    }

    /// Returns the page that a cursor stands for. The previous page contains the cursor, and the daemon keeps the
    /// cursor until the page is stored.
    static func page(_ source: String, atCursor cursor: String) -> Page? {
        let parts = cursor.split(separator: ".").compactMap { Int($0) }
        return parts.count == 2 ? Page(source: source, generation: parts[0], number: parts[1]) : nil
    }

    private static func ids(_ page: Page) -> [String] {
        // The length is fixed, so that the texts differ even without their punctuation.
        (0..<jokesOfPage(page.source)).map { number in
            "\(page.source)-\(page.generation + 1000)-\(page.number + 10)-\(number + 10_000)"
        }
    }

    /// The text of the joke with this ID, which never changes.
    static func text(_ id: String) -> String {
        "Duck \(id) walks into a bar, " + String(repeating: "quacks and ", count: 8) + "asks for number \(id)."
    }

    /// The fingerprint that identifies the joke's favorite and hidden mark.
    static func fingerprint(_ id: String) -> Fingerprint {
        Fingerprint(of: .single(text(id)))
    }

    private func answer(_ source: String, at cursor: String?) -> LoopbackAnswer {
        let page = cursor.flatMap { Self.page(source, atCursor: $0) } ?? begin(source)
        let ids = Self.ids(page)
        state.withLock { state in
            if state.fingerprints[page] == nil { state.fingerprints[page] = .some(nil) }
        }
        let jokes = ids.map { #"{"id": "\#($0)", "text": "\#(Self.text($0))"}"# }
        let next = page.number + 1 < Self.pagesOfFullSync ? #""\#(page.generation).\#(page.number + 1)""# : "null"
        return .json(#"{"jokes": [\#(jokes.joined(separator: ","))], "next": \#(next)}"#)
    }

    private func begin(_ source: String) -> Page {
        state.withLock { state in
            state.generations[source, default: 0] += 1
            return Page(source: source, generation: state.generations[source]!, number: 0)
        }
    }
}
