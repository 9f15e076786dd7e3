/// The proxies for URLs, from the environment variables that curl and other programs use.
package struct ProxySettings: Sendable {
    private var forScheme: [String: String] = [:]
    private var exceptions: [String] = []

    /// No proxy for anything.
    package static let none = ProxySettings { _ in nil }

    /// Reads `https_proxy`, `http_proxy`, `all_proxy` and `no_proxy`, also in capitals, except for `HTTP_PROXY`: in a program
    /// run by a web server, it may come from a header of a client. `environment` returns the value of a variable.
    package init(environment: (String) -> String?) {
        func value(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
        func either(_ name: String) -> String? { value(name) ?? value(name.uppercased()) }
        forScheme["https"] = either("https_proxy") ?? either("all_proxy")
        forScheme["http"] = value("http_proxy") ?? either("all_proxy")
        exceptions = (either("no_proxy") ?? "").lowercased().split { $0 == "," || $0 == " " }.map(String.init)
    }

    /// One proxy, whose URL has a scheme that libcurl knows, for all URLs except for those of `no_proxy`.
    package init(url: String, environment: (String) -> String?) {
        self.init(environment: environment)
        forScheme = url.isEmpty ? [:] : ["https": url, "http": url]
    }

    /// Returns the URL of the proxy for a URL; nil for none.
    package func proxy(forURL url: String) throws(HTTPError) -> String? { proxy(for: try Location(url)) }

    /// Returns the URL of the proxy; nil for none. Hosts on this machine never have one.
    func proxy(for location: Location) -> String? {
        isLocal(location) || isExcepted(location) ? nil : forScheme[location.scheme]
    }

    private func isLocal(_ location: Location) -> Bool {
        location.literalAddress?.scope == .loopback || location.host == "localhost"
            || location.host.hasSuffix(".localhost")
    }

    private func isExcepted(_ location: Location) -> Bool {
        exceptions.contains { exception in
            if exception == "*" { return true }
            if let address = location.literalAddress {
                return NetworkAddress(exception) == address || AddressBlock(exception)?.contains(address) == true
            }
            let domain = exception.drop { $0 == "." }
            return location.host == domain || location.host.hasSuffix("." + domain)
        }
    }
}
