/// The response to a request, after its redirects.
package struct HTTPResponse: Sendable {
    /// The status; 304 only if the request was conditional.
    package let status: Int
    package let headers: HeaderFields
    package let body: [UInt8]
    /// The permission to have the body in memory; nil if the body is short.
    package let permission: LongBodyPermission?
    /// The URL after redirects. Its query may have a secret: use `redactedURL` in messages.
    package let url: String
    /// The URL without its query.
    package let redactedURL: String
    /// The validators for the next request: those of the response, or those of the request if a 304 has none.
    package let validators: Validators

    /// True if the last response is still current.
    package var isNotModified: Bool { status == 304 }

    /// The media type of the body, if the server states it.
    package var mediaType: MediaType? { headers["Content-Type"].flatMap { MediaType($0) } }
}

extension HTTPResponse {
    /// A response with status 200 that was not received from a server.
    package init(body: [UInt8], headers: HeaderFields, url: String) {
        self.init(
            status: 200, headers: headers, body: body, permission: nil, url: url, redactedURL: Location.redact(url),
            validators: Validators())
    }
}

/// A media type of a Content-Type header (RFC 9110).
package struct MediaType: Hashable, Sendable {
    /// Type and subtype in lower case: `application/json`.
    package let essence: String
    /// The charset parameter in lower case.
    package let charset: String?

    /// Reads the value of Content-Type; nil if it has no type.
    package init?(_ text: String) {
        let parts = text.lowercased().split(separator: ";").map { $0.split(separator: " ").joined(separator: " ") }
        guard let essence = parts.first else { return nil }
        let names = essence.split(separator: "/", omittingEmptySubsequences: false)
        guard names.count == 2, names.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x21...0x7e).contains($0) } })
        else { return nil }
        self.essence = essence
        charset = parts.dropFirst().first { $0.hasPrefix("charset=") }.map {
            $0.dropFirst("charset=".count).filter { $0 != "\"" }
        }
    }

    /// `application/json`, `text/json` and every `+json`.
    package var isJSON: Bool { essence == "application/json" || essence == "text/json" || essence.hasSuffix("+json") }
}
