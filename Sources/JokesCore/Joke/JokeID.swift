/// The ID of a joke: `source:upstreamId`, or `source:~` and 16 hex digits of its fingerprint if the upstream has no ID.
///
/// If the upstream changes the text of a joke, the joke keeps its ID. If the old text is a favorite, the favorite keeps the
/// ID, and the changed joke gets an ID that follows from its text.
///
/// Case-sensitive, because upstream ids are.
package struct JokeID: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let rawValue: String

    /// Takes an id as it stands, from the store or from somebody who types it. It need not name a joke.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The id of an upstream's joke, verbatim.
    package init(source: String, upstream: String) {
        rawValue = "\(source):\(upstream)"
    }

    /// The id of a joke whose upstream has none that lasts: it follows from the text.
    package init(source: String, fingerprint: Fingerprint) {
        rawValue = "\(source):~\(fingerprint.hex.prefix(16))"
    }

    /// The name of the source, all before the first colon.
    package var source: Substring {
        Substring(rawValue.utf8.prefix { $0 != UInt8(ascii: ":") })
    }

    package static func < (a: JokeID, b: JokeID) -> Bool {
        a.rawValue < b.rawValue
    }

    package var description: String {
        rawValue
    }
}
