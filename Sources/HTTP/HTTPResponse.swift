/// The final answer to a request, redirects followed.
package struct HTTPResponse: Sendable {
    /// Any status but a redirect that was followed; 304 only where the request was conditional.
    package let status: Int
    package let headers: HeaderFields
    /// Decoded: no content encoding is left on it.
    package let body: [UInt8]
    /// The permission to have the body in memory; nil if the body is short.
    package let permission: LongBodyPermission?
    /// Where it came from in the end. May hold what is secret in the query: for people there is `redactedURL`.
    package let url: String
    /// The same without its query.
    package let redactedURL: String
    /// For the next request: those of the answer, or those of the request where a 304 gives none.
    package let validators: Validators

    /// What was fetched before is still what there is.
    package var isNotModified: Bool {
        status == 304
    }

    /// What the body is, where the server says so.
    package var mediaType: MediaType? {
        headers["Content-Type"].flatMap { MediaType($0) }
    }
}
