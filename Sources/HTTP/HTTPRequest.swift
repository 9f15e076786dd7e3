/// What to fetch with GET, and what it may cost.
package struct HTTPRequest: Sendable {
    /// https, or http where the local network is allowed. Never with user and password in it.
    package var url: String
    /// Beside those that the client sends by itself. Kept from other hosts that a redirect leads to.
    package var headers: HeaderFields
    /// Of the answer held already: makes the request conditional, and a 304 a success. Kept from other origins that a
    /// redirect leads to.
    package var validators: Validators
    /// Whether plain http and addresses of the local network are allowed.
    package var allowsLocalNetwork: Bool
    package var limits: Limits

    /// The bounds of one fetch, redirects included.
    package struct Limits: Sendable, Hashable {
        /// From the call to the last byte.
        package var total: Duration
        /// For name, connection and TLS handshake.
        package var connecting: Duration
        /// An answer that stays slower than so many bytes a second for `slowFor` is given up.
        package var slowestBytesPerSecond: Int
        /// Whole seconds.
        package var slowFor: Duration
        /// Bytes of the body after decompression.
        package var bodyBytes: Int
        /// Bytes of all header lines, those of interim answers and trailers too.
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

/// Whether a header line may hold the value: no line ends, no other controls, nothing beyond ASCII.
func isSendable(_ value: String) -> Bool {
    !value.isEmpty && value.utf8.allSatisfy { (0x20...0x7e).contains($0) }
}
