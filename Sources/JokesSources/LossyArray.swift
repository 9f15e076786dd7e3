import FoundationEssentials
import HTTP

/// The elements of an array that could be decoded, and how many could not.
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

extension HTTPResponse {
    /// The type of the body in words, as they read after "returned": `text/html`.
    var typeInWords: String {
        if let mediaType { return mediaType.essence }
        return headers["Content-Type"] == nil ? "no Content-Type" : "an invalid Content-Type"
    }

    /// The maximum number of values: 5,000 jokes of twenty members each.
    private static let maxValues = 100_000

    /// The body as JSON of that shape; the message for another shape follows "returned JSON".
    ///
    /// - Throws: `SourceError` where the type is not JSON, or the body is not, or is of another shape. Nothing of the
    ///   body is quoted: it may be anything.
    func decoded<Value: Decodable>(
        as type: Value.Type, otherwise message: String = "of an unexpected shape"
    ) throws(SourceError) -> Value {
        guard mediaType?.isJSON == true else {
            throw SourceError(.unreadable, "\(redactedURL) returned \(typeInWords) instead of JSON")
        }
        // The decoder makes a map of all values, which takes many times the room of a small one.
        guard body.count(where: \.opensOrPartsValues) <= Self.maxValues else {
            throw SourceError(.unreadable, "\(redactedURL) returned too many values")
        }
        do {
            return try JSONDecoder().decode(type, from: Data(body))
        } catch DecodingError.dataCorrupted {
            throw SourceError(.unreadable, "\(redactedURL) returned malformed JSON")
        } catch {
            throw SourceError(.unreadable, "\(redactedURL) returned JSON \(message)")
        }
    }
}

extension UInt8 {
    fileprivate var opensOrPartsValues: Bool {
        switch self {
        case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "{"): true
        default: false
        }
    }
}
