/// A request without a usable response.
package struct HTTPError: Error, Equatable, CustomStringConvertible {
    package enum Code: Sendable {
        /// The URL or a header cannot be sent.
        case invalidRequest
        /// The URL's scheme is not allowed for this request.
        case schemeRefused
        /// The host has an address that the request may not connect to.
        case addressRefused
        /// The host has an address that is not of a host on the internet or on a local network.
        case addressReserved
        /// A redirect leads to a forbidden URL, or there are too many.
        case redirectRefused
        /// The name of the host cannot be resolved, or there was no connection or no TLS handshake.
        case resolve, connect, tls
        /// The proxy cannot be reached, or refuses the request.
        case proxy
        /// The request took longer than allowed, or the response is slower than allowed.
        case timeout, tooSlow
        /// The headers or the decoded body are longer than allowed.
        case tooLarge
        /// The connection was lost before the response was complete.
        case connectionLost
        /// The response is not valid HTTP.
        case protocolViolation
        /// The task was canceled.
        case cancelled
        /// The process is out of memory or descriptors, or libcurl failed.
        case outOfResources
    }

    package let code: Code
    /// The URL without query and credentials.
    package let url: String
    /// The cause, such as `the certificate has expired`. Printable ASCII, because parts of it may come from the network.
    package let cause: String

    init(_ code: Code, _ url: String, _ cause: String) {
        self.code = code
        self.url = printable(url)
        self.cause = printable(cause)
    }

    /// One line: `cannot fetch https://example.org/jokes: the connection was refused`
    package var description: String { "cannot fetch \(url): \(cause)" }
}

/// Returns the text with all characters except printable ASCII replaced.
private func printable(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { (" "..."~").contains($0) ? $0 : "?" }))
}
