import CCurl

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
    /// The validators for the next request: those of the response. If a 304 lacks one, it is that of the request.
    package let validators: Validators

    /// True if the last response is still current.
    package var isNotModified: Bool { status == 304 }

    /// The media type of the body, if the server states it.
    package var mediaType: MediaType? { headers["Content-Type"].map { MediaType($0) } }
}

extension HTTPResponse {
    /// A response that was not received from a server.
    package init(
        status: Int = 200, body: [UInt8], headers: HeaderFields, url: String, validators: Validators = Validators()
    ) {
        self.init(
            status: status, headers: headers, body: body, permission: nil, url: url, redactedURL: Location.redact(url),
            validators: validators)
    }
}

/// Returns the seconds from 1970 to a date such as `Fri, 20 Nov 2026 14:01:13 GMT` (RFC 9110, 5.6.7); nil if it is none.
package func secondsSince1970(httpDate text: String) -> Int64? {
    let seconds = text.utf8.count < 64 ? curl_getdate(text, nil) : -1
    return seconds > 0 ? Int64(seconds) : nil
}
