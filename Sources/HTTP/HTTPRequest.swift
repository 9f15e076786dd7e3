/// A GET request and its limits.
package struct HTTPRequest: Sendable {
    /// An https URL, or an http URL if `allowsLocalNetwork`. Without user and password.
    package var url: String
    /// Headers beside those of the client. They are not sent to other origins after a redirect.
    package var headers: HeaderFields
    /// The validators of the last response, which make the request conditional. They are not sent to other origins after a
    /// redirect.
    package var validators: Validators
    /// Whether plain http and addresses of the local network are allowed.
    package var allowsLocalNetwork: Bool
    package var limits: Limits

    /// The limits of a request with its redirects.
    package struct Limits: Sendable, Hashable {
        /// The maximum time from the call to the last byte.
        package var total: Duration
        /// The maximum time for name resolution, connection and TLS handshake.
        package var connecting: Duration
        /// A response that is slower than this for `slowFor` is an error.
        package var slowestBytesPerSecond: Int
        /// In whole seconds.
        package var slowFor: Duration
        /// The maximum size of the body after decompression, in bytes.
        package var bodyBytes: Int
        /// The maximum size of all header lines, with those of interim responses and trailers, in bytes.
        package var headerBytes: Int
        package var redirects: Int

        package init(
            total: Duration = .seconds(30), connecting: Duration = .seconds(10), slowestBytesPerSecond: Int = 100,
            slowFor: Duration = .seconds(20), bodyBytes: Int = 8 << 20, headerBytes: Int = 64 << 10, redirects: Int = 3
        ) {
            self.total = total
            self.connecting = connecting
            self.slowestBytesPerSecond = slowestBytesPerSecond
            self.slowFor = slowFor
            self.bodyBytes = bodyBytes
            self.headerBytes = headerBytes
            self.redirects = redirects
        }
    }

    package init(
        url: String, headers: HeaderFields = HeaderFields(), validators: Validators = Validators(),
        allowsLocalNetwork: Bool = false, limits: Limits = Limits()
    ) {
        self.url = url
        self.headers = headers
        self.validators = validators
        self.allowsLocalNetwork = allowsLocalNetwork
        self.limits = limits
    }
}

/// Returns whether a header may have the value: printable ASCII.
func isSendable(_ value: String) -> Bool {
    !value.isEmpty && value.utf8.allSatisfy { (0x20...0x7e).contains($0) }
}
