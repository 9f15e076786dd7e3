import HTTP
import JSON
import JokesCore

extension HTTPResponse {
    /// The maximum number of values and names of any answer: 8 MB with 100,000 jokes have about a million.
    private static let maxValues = 2_000_000

    /// The type of the body in words, as they read after "returned": `text/html`.
    var typeInWords: String {
        if let essence = mediaType?.essence, !essence.isEmpty { return essence }
        return headers["Content-Type"] == nil ? "no Content-Type" : "an invalid Content-Type"
    }

    /// True if the type of the body is JSON, or one of JSON on lines, or plain text, as servers of files often call it.
    var mayBeJSON: Bool {
        let types = ["application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines"]
        return mediaType.map { $0.isJSON || $0.essence == "text/plain" || types.contains($0.essence) } ?? false
    }

    /// The body as JSON. Its strings and numbers are not checked. Errors do not quote it.
    var jsonRoot: JSONValue {
        get async throws(SourceError) {
            if !mayBeJSON { throw notJSON }
            return try await jsonRoot(of: body)
        }
    }

    /// The error for an answer of another type.
    var notJSON: SourceError {
        // A type that the server made up may hold anything, also a key that it was sent.
        let type =
            switch mediaType?.essence {
            case "", nil: typeInWords
            case "text/html": "HTML"
            default: "another type"
            }
        return SourceError(.unreadable, "\(redactedURL) returned \(type) instead of JSON")
    }

    /// A document in the body as JSON, whatever the type of the answer is. Documents on lines are a list.
    func jsonRoot(of document: [UInt8]) async throws(SourceError) -> JSONValue {
        do throws(JSONError) {
            return try await Self.root(of: document)
        } catch {
            if error.reason != JSONError.tooManyValues, let list = await Self.list(ofLines: document),
                let root = try? await Self.root(of: list)
            {
                return root
            }
            let what = error.reason == JSONError.tooManyValues ? error.reason : "malformed JSON"
            throw SourceError(.unreadable, "\(redactedURL) returned \(what)")
        }
    }

    private static func root(of document: [UInt8]) async throws(JSONError) -> JSONValue {
        try await JSONDocument(parsingInSteps: document, .structure, maxValues: maxValues).root
    }

    /// Returns the list of the documents on the lines of a text, with null for a broken line; nil if the first line is
    /// not a document.
    private static func list(ofLines text: [UInt8]) async -> [UInt8]? {
        var list: [UInt8] = []
        let lines = text.drop { [0xEF, 0xBB, 0xBF].contains($0) }.split { $0 == 0x0A || $0 == 0x0D }
        for (number, line) in lines.enumerated() where !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
            let isDocument = (try? await root(of: Array(line))) != nil
            if list.isEmpty && !isDocument { return nil }
            list += list.isEmpty ? "[".utf8 : ",".utf8
            list += isDocument ? line : Array("null".utf8)[...]
            if number % 64 == 0 { await Task.yield() }
        }
        return list + "]".utf8
    }

    /// The maximum number of jokes in an answer of a service whose answers have a known shape: twice the largest one.
    private static let maxKnownJokes = 20_000

    /// Reads the elements of a list. Those for which `read` returns nil or throws are refused.
    func items<Item>(
        of list: JSONValue?, _ read: (JSONValue) throws(JSONError) -> Item?
    ) async throws(SourceError) -> (items: [Item], refused: Int) {
        guard let list, list.kind == .array else { throw unexpectedShape }
        var items: [Item] = []
        let (refused, isCut) = try await readItems([list], of: redactedURL, atMost: Self.maxKnownJokes) { element in
            guard let item = try? read(element) else { return false }
            items.append(item)
            return true
        }
        if isCut { throw SourceError(.unreadable, "\(redactedURL) returned more than \(Self.maxKnownJokes) jokes") }
        return (items, refused)
    }

    var unexpectedShape: SourceError {
        SourceError(.unreadable, "\(redactedURL) returned JSON of an unexpected shape")
    }
}

/// Reads the elements of lists, and values of another kind as items, and lets other work on this thread continue after
/// each few. `read` returns false for an item that cannot be read. Ends after `limit` others.
func readItems(
    _ values: [JSONValue], of url: String, atMost limit: Int, _ read: (JSONValue) -> Bool
) async throws(SourceError) -> (refused: Int, isCut: Bool) {
    var (count, refused) = (0, 0)
    for element in values.lazy.flatMap({ $0.kind == .array ? AnySequence($0.elements) : AnySequence([$0]) }) {
        if count == limit { return (refused, true) }
        if read(element) { count += 1 } else { refused += 1 }
        guard (count + refused) % 64 == 0 else { continue }
        if Task.isCancelled { throw SourceError(.cancelled, "reading \(url) was canceled") }
        await Task.yield()
    }
    return (refused, false)
}

extension JSONValue {
    /// The number, which may be written as a text; nil if it is not an integer from 0 on.
    var naturalNumber: Int? {
        guard let text = number ?? string, text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
        return Int(text)
    }
}
