/// A GET request and its limits.
package struct HTTPRequest: Sendable {
    /// An https URL, or an http URL if `allowsLocalNetwork`. Without user and password.
    package var url: String
    /// Headers in addition to those of the client. They are not sent to other origins after a redirect.
    package var headers: HeaderFields
    /// The validators of the last response, for a conditional request. They are not sent to other origins either.
    package var validators: Validators
    /// True if plain http and addresses of the local network are allowed.
    package var allowsLocalNetwork: Bool
    package var limits: Limits

    /// The limits of a request with its redirects.
    package struct Limits: Sendable {
        /// The maximum time from the call to the last byte.
        package var total: Duration = .seconds(30)
        /// The maximum time for name resolution, connection and TLS handshake.
        package var connecting: Duration = .seconds(10)
        /// A response that is slower than this for `slowFor` is an error.
        package var slowestBytesPerSecond = 100
        /// In whole seconds.
        package var slowFor: Duration = .seconds(20)
        /// The maximum size of the body after decompression, in bytes.
        package var bodyBytes = 8 << 20
        /// The maximum size of all header lines, with those of interim responses and trailers, in bytes.
        package var headerBytes = 64 << 10
        /// The addresses that each request may connect to, whatever their scope is.
        package var allowedAddresses: [AddressBlock] = []

        package init() {}
    }

    package init(
        url: String, headers: HeaderFields = HeaderFields(), validators: Validators = Validators(),
        allowsLocalNetwork: Bool = false, limits: Limits = Limits()
    ) {
        (self.url, self.headers, self.validators) = (url, headers, validators)
        (self.allowsLocalNetwork, self.limits) = (allowsLocalNetwork, limits)
    }
}

/// The validators of a response (RFC 9110, 8.8), unchanged.
package struct Validators: Hashable, Sendable {
    package let etag: String?
    package let lastModified: String?

    /// Creates validators without values that a header may not have.
    package init(etag: String? = nil, lastModified: String? = nil) {
        self.etag = etag.flatMap { isSendable($0) ? $0 : nil }
        self.lastModified = lastModified.flatMap { isSendable($0) ? $0 : nil }
    }

    /// Returns them, completed with values of the last response: a 304 may state only one (RFC 9110, 15.4.5).
    func replacing(_ last: Validators) -> Validators {
        Validators(etag: etag ?? last.etag, lastModified: lastModified ?? last.lastModified)
    }

    /// True if a request with them would not be conditional.
    package var isEmpty: Bool { etag == nil && lastModified == nil }
}

/// Returns whether a header may have the value: printable ASCII.
func isSendable(_ value: String) -> Bool { !value.isEmpty && value.utf8.allSatisfy { (0x20...0x7e).contains($0) } }
