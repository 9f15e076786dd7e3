/// Which proxy a URL is fetched through, by the variables that curl and others go by.
package struct ProxySettings: Sendable {
    private var forScheme: [String: String] = [:]
    private var exceptions: [String] = []

    /// No proxy for anything.
    package static let none = ProxySettings()

    private init() {}

    /// Reads `https_proxy`, `http_proxy`, `all_proxy` and `no_proxy`, and all but the second in capitals too, which a
    /// program run by a web server could be given by a client's header.
    ///
    /// - Parameter environment: The value of a variable.
    package init(environment: (String) -> String?) {
        func value(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
        func either(_ name: String) -> String? { value(name) ?? value(name.uppercased()) }
        forScheme["https"] = either("https_proxy") ?? either("all_proxy")
        forScheme["http"] = value("http_proxy") ?? either("all_proxy")
        exceptions = (either("no_proxy") ?? "").lowercased().split { $0 == "," || $0 == " " }.map(String.init)
    }

    /// One proxy for everything, but for the exceptions in `no_proxy`.
    ///
    /// - Parameters:
    ///   - url: Of the proxy, in one of the schemes that libcurl knows.
    ///   - environment: The value of a variable.
    package init(url: String, environment: (String) -> String?) {
        self.init { name in
            name.lowercased() == "all_proxy" ? url : name.lowercased() == "no_proxy" ? environment(name) : nil
        }
    }

    /// The URL of the proxy that a URL is fetched through, nil where its host is asked directly.
    ///
    /// - Throws: `HTTPError` where it is no URL that could be fetched.
    package func proxy(forURL url: String) throws(HTTPError) -> String? {
        proxy(for: try Location(url))
    }

    /// The proxy's URL, nil where the host is asked directly: always on this machine, elsewhere by `no_proxy`.
    func proxy(for location: Location) -> String? {
        guard let proxy = forScheme[location.scheme], !isLocal(location), !isExcepted(location) else { return nil }
        return proxy
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
