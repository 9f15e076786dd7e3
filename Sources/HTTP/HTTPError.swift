/// A fetch that brought no answer, or none that may be used.
package struct HTTPError: Error, Equatable, CustomStringConvertible {
    /// What went wrong, in names that stay the same across releases.
    package enum Code: String, Sendable, CaseIterable {
        /// The URL or a header cannot be sent.
        case invalidRequest = "invalid-request"
        /// The URL's scheme is not allowed for this source.
        case schemeRefused = "scheme-refused"
        /// The host leads to an address that this source may not connect to.
        case addressRefused = "address-refused"
        /// A redirect leads where this source may not go, or there are too many.
        case redirectRefused = "redirect-refused"
        /// The host's name has no address, or nobody could be asked for it.
        case resolve
        /// Nobody answers at the address.
        case connect
        /// The proxy cannot be reached or does not let the request through.
        case proxy
        /// The connection could not be made secure.
        case tls
        /// The whole took longer than allowed.
        case timeout
        /// The answer trickles in slower than allowed.
        case tooSlow = "too-slow"
        /// The answer's headers or its decoded body are longer than allowed.
        case tooLarge = "too-large"
        /// The connection broke off before the answer was whole.
        case connectionLost = "connection-lost"
        /// The answer is not HTTP as agreed.
        case protocolViolation = "protocol"
        /// The task was cancelled or the client closed.
        case cancelled
        /// This machine is out of memory or descriptors, or libcurl failed on our side.
        case outOfResources = "out-of-resources"
    }

    package let code: Code
    /// What was fetched, without the query and the credentials that the URL may hold.
    package let url: String
    /// The rest of a sentence that begins with what was tried: `the certificate has expired`.
    ///
    /// Printable ASCII: parts of it may come from the network.
    package let cause: String

    init(_ code: Code, _ url: String, _ cause: String) {
        self.code = code
        self.url = printable(url)
        self.cause = printable(cause)
    }

    /// One line: `cannot fetch https://example.org/jokes: the connection was refused`
    package var description: String {
        "cannot fetch \(url): \(cause)"
    }
}

/// The text with everything but printable ASCII replaced.
private func printable(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { (" "..."~").contains($0) ? $0 : "?" }))
}
