import HTTP
import JSON
import JokesCore

extension HTTPResponse {
    /// The maximum number of values and names of any answer: 8 MB with 100,000 jokes have about a million.
    private static let maxValues = 2_000_000
    /// The same for a service whose answers have a known shape: 5,000 jokes of twenty members each.
    private static let maxKnownValues = 100_000

    /// The type of the body in words, as they read after "returned": `text/html`.
    var typeInWords: String {
        if let essence = mediaType?.essence, !essence.isEmpty { return essence }
        return headers["Content-Type"] == nil ? "no Content-Type" : "an invalid Content-Type"
    }

    /// The body as JSON. Its strings and numbers are not checked. Errors do not quote it.
    var jsonRoot: JSONValue {
        get async throws(SourceError) {
            // Servers of plain files often call JSON plain text.
            guard let mediaType, mediaType.isJSON || mediaType.essence == "text/plain" else {
                // A type that the server made up may hold anything, also a key that it was sent.
                let type =
                    switch mediaType?.essence {
                    case "", nil: typeInWords
                    case "text/html": "HTML"
                    default: "another type"
                    }
                throw SourceError(.unreadable, "\(redactedURL) returned \(type) instead of JSON")
            }
            return try await jsonRoot(of: body)
        }
    }

    /// A document in the body as JSON, whatever the type of the answer is.
    func jsonRoot(of document: [UInt8]) async throws(SourceError) -> JSONValue {
        do throws(JSONError) {
            return try await JSONDocument(parsingInSteps: document, .structure, maxValues: Self.maxValues).root
        } catch { throw malformed(error) }
    }

    /// Decodes the body. Errors do not quote it.
    func decoded<Value: Decodable>(as type: Value.Type) throws(SourceError) -> Value {
        guard mediaType?.isJSON == true else {
            throw SourceError(.unreadable, "\(redactedURL) returned \(typeInWords) instead of JSON")
        }
        let root: JSONValue
        do throws(JSONError) {
            root = try JSONDocument(body, .structure, maxValues: Self.maxKnownValues).root
        } catch {
            throw malformed(error)
        }
        guard let value = try? root.decode(type) else {
            throw SourceError(.unreadable, "\(redactedURL) returned JSON of an unexpected shape")
        }
        return value
    }

    private func malformed(_ error: JSONError) -> SourceError {
        let what = error.reason == JSONError.tooManyValues ? error.reason : "malformed JSON"
        return SourceError(.unreadable, "\(redactedURL) returned \(what)")
    }
}

/// Reads the elements of a list, or a value of another kind as one item, and lets other work on this thread continue after
/// each few. `read` returns false for an item that cannot be read. Ends after `limit` others.
func readItems(
    _ value: JSONValue, of url: String, atMost limit: Int, _ read: (JSONValue) -> Bool
) async throws(SourceError) -> (refused: Int, isCut: Bool) {
    if value.kind != .array { return (read(value) ? 0 : 1, false) }
    var (count, refused) = (0, 0)
    for element in value.elements {
        if count == limit { return (refused, true) }
        if read(element) { count += 1 } else { refused += 1 }
        guard (count + refused) % 64 == 0 else { continue }
        if Task.isCancelled { throw SourceError(.cancelled, "reading \(url) was canceled") }
        await Task.yield()
    }
    return (refused, false)
}

/// The elements of a list that can be decoded, and the number of the others.
struct LossyArray<Element: Decodable & Sendable>: Sendable {
    let elements: [Element]
    let refused: Int
}

extension LossyArray: Decodable {
    private struct Slot: Decodable {
        let element: Element?

        init(from decoder: any Decoder) throws { element = try? Element(from: decoder) }
    }

    init(from decoder: any Decoder) throws {
        let slots = try [Slot](from: decoder)
        elements = slots.compactMap(\.element)
        refused = slots.count - elements.count
    }
}

/// A number that may be written as a text: `106` and `"106"` are equal.
struct NumberOrText: Hashable, Sendable {
    let text: String

    /// The number, if it is an integer without a sign or spaces.
    var number: Int? { text.utf8.allSatisfy(\.isASCIIDigit) ? Int(text) : nil }
}

extension NumberOrText: Decodable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        text = try (try? container.decode(String.self)) ?? String(container.decode(Int.self))
    }
}
