/// A media type of a Content-Type header (RFC 9110).
package struct MediaType: Hashable, Sendable, CustomStringConvertible {
    /// Type and subtype in lower case: `application/json`.
    package let essence: String
    /// The charset parameter in lower case.
    package let charset: String?

    /// Reads the value of Content-Type; nil if it has no type.
    package init?(_ text: String) {
        let parts = text.lowercased().split(separator: ";").map { $0.split(separator: " ").joined(separator: " ") }
        let isToken = { (part: Substring) in
            !part.isEmpty && part.utf8.allSatisfy { (0x21...0x7e).contains($0) }
        }
        guard let essence = parts.first, essence.split(separator: "/", omittingEmptySubsequences: false).count == 2,
            essence.split(separator: "/", omittingEmptySubsequences: false).allSatisfy(isToken)
        else { return nil }
        self.essence = essence
        charset = parts.dropFirst().first { $0.hasPrefix("charset=") }.map {
            $0.dropFirst("charset=".count).filter { $0 != "\"" }
        }
    }

    /// `application/json`, `text/json` and every `+json`.
    package var isJSON: Bool {
        essence == "application/json" || essence == "text/json" || essence.hasSuffix("+json")
    }

    package var description: String { essence }
}
