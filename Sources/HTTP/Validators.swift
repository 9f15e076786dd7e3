/// What tells one version of an answer from another (RFC 9110, 8.8), verbatim as the server gave it.
package struct Validators: Hashable, Sendable {
    package let etag: String?
    package let lastModified: String?

    /// Values that could not be sent back, for bytes that a header may not hold, are dropped.
    package init(etag: String? = nil, lastModified: String? = nil) {
        self.etag = etag.flatMap { isSendable($0) ? $0 : nil }
        self.lastModified = lastModified.flatMap { isSendable($0) ? $0 : nil }
    }

    /// Whether there is nothing to make a request conditional with.
    package var isEmpty: Bool {
        etag == nil && lastModified == nil
    }
}
