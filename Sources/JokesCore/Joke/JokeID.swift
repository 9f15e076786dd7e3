/// The ID of a joke: `source:upstreamId`, or `source:~` and 16 hex digits of its fingerprint if the upstream has no ID.
///
/// If the upstream changes the text of a joke, the joke keeps its ID. If the old text is a favorite, the favorite keeps the
/// ID, and the changed joke gets an ID from its text. Case-sensitive, like the IDs of sources.
package struct JokeID: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let rawValue: String

    /// Creates an ID from the store or from a user. It may not exist.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Creates an ID from the ID of the source.
    package init(source: String, upstream: String) {
        rawValue = "\(source):\(upstream)"
    }

    /// Creates an ID from the text, for a source without permanent IDs.
    package init(source: String, fingerprint: Fingerprint) {
        rawValue = "\(source):~\(fingerprint.hex.prefix(16))"
    }

    /// The name of the source: the text before the first colon.
    package var source: Substring { Substring(rawValue.utf8.prefix { $0 != UInt8(ascii: ":") }) }

    package static func < (a: JokeID, b: JokeID) -> Bool { a.rawValue < b.rawValue }
    package var description: String { rawValue }
}

/// A text, which is cleaned when it is read.
extension JokeID: Codable {
    package init(from decoder: any Decoder) throws {
        self.init(rawValue: cleanText(try decoder.singleValueContainer().decode(String.self)))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}
