import HTTP
import JSON

extension HTTPResponse {
    /// The maximum number of values and names of an answer that the configuration describes, and of a JSON Feed. An
    /// answer of 8 MB with 100,000 jokes has about a million.
    private static let maxValues = 2_000_000
    /// The same for a service whose answers have a known shape: 5,000 jokes of twenty members each.
    private static let maxKnownValues = 100_000

    /// The type of the body in words, as they read after "returned": `text/html`.
    var typeInWords: String {
        if let mediaType { return mediaType.essence }
        return headers["Content-Type"] == nil ? "no Content-Type" : "an invalid Content-Type"
    }

    /// The body as JSON. An invalid string in it affects only those who read it.
    ///
    /// - Throws: `SourceError` if the type is not JSON, or the body is not. Nothing of it is quoted.
    var jsonRoot: JSONValue {
        get async throws(SourceError) {
            // Servers of plain files often call JSON plain text.
            guard let mediaType, mediaType.isJSON || mediaType.essence == "text/plain" else {
                // A type that the server made up may hold anything, also a key that it was sent.
                let type =
                    switch self.mediaType?.essence {
                    case nil: typeInWords
                    case "text/html": "HTML"
                    default: "another type"
                    }
                throw SourceError(.unreadable, "\(redactedURL) returned \(type) instead of JSON")
            }
            do throws(JSONError) {
                return try await JSONDocument(parsingInSteps: body, .structure, maxValues: Self.maxValues).root
            } catch {
                throw malformed(error)
            }
        }
    }

    /// The body as a type; `message` follows "returned JSON" if the body has another shape.
    ///
    /// - Throws: `SourceError` if the type is not JSON, or the body is not, or has another shape. Nothing of the body is
    ///   quoted.
    func decoded<Value: Decodable>(
        as type: Value.Type, otherwise message: String = "of an unexpected shape"
    ) throws(SourceError) -> Value {
        guard mediaType?.isJSON == true else {
            throw SourceError(.unreadable, "\(redactedURL) returned \(typeInWords) instead of JSON")
        }
        let root: JSONValue
        do throws(JSONError) {
            root = try JSONDocument(body, .structure, maxValues: Self.maxKnownValues).root
        } catch {
            throw malformed(error)
        }
        do throws(JSONError) {
            return try root.decode(type)
        } catch {
            throw SourceError(.unreadable, "\(redactedURL) returned JSON \(message)")
        }
    }

    private func malformed(_ error: JSONError) -> SourceError {
        let what = error.reason == JSONError.tooManyValues ? error.reason : "malformed JSON"
        return SourceError(.unreadable, "\(redactedURL) returned \(what)")
    }
}

/// The elements of a list that could be decoded, and how many could not.
struct LossyArray<Element: Decodable & Sendable>: Decodable, Sendable {
    let elements: [Element]
    let refused: Int

    /// An element that never fails to decode.
    private struct Slot: Decodable {
        let element: Element?

        init(from decoder: any Decoder) throws {
            element = try? Element(from: decoder)
        }
    }

    init(from decoder: any Decoder) throws {
        let slots = try [Slot](from: decoder)
        elements = slots.compactMap(\.element)
        refused = slots.count - elements.count
    }
}
