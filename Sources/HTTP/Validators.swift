/// The validators of a response (RFC 9110, 8.8), unchanged.
package struct Validators: Hashable, Sendable {
    package let etag: String?
    package let lastModified: String?

    /// Values that a header may not have are dropped.
    package init(etag: String? = nil, lastModified: String? = nil) {
        self.etag = etag.flatMap { isSendable($0) ? $0 : nil }
        self.lastModified = lastModified.flatMap { isSendable($0) ? $0 : nil }
    }

    /// Whether a request with them would not be conditional.
    package var isEmpty: Bool {
        etag == nil && lastModified == nil
    }
}
