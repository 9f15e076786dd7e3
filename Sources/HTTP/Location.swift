import CCurl

/// Returns a URL for messages: without its query, which may have a key, and without user and password.
package func redactedURL(_ url: String) -> String { Location.redact(url) }

/// A parsed URL. The parser is libcurl's, so the host that is checked is the host that libcurl connects to.
struct Location: Sendable {
    /// The whole URL in its normal form: numeric hosts in dots, international names in punycode, no fragment.
    let text: String
    /// In lower case.
    let scheme: String
    /// A name or an address, in lower case; IPv6 without brackets.
    let host: String
    let port: UInt16
    /// The URL for messages: without its query, which may have a key.
    let redacted: String

    /// - Throws: `HTTPError` with code `invalidRequest`.
    init(_ text: String) throws(HTTPError) {
        let refuse = { (reason: String) in HTTPError(.invalidRequest, Location.redact(text), reason) }
        let parts = try URLParts()
        try parts.set(text, or: refuse)
        try self.init(parts, or: refuse)
    }

    /// Returns the URL of a reference such as `/other` in a redirect from this URL.
    func resolving(_ reference: String) throws(HTTPError) -> Location {
        let refuse = { (reason: String) in
            HTTPError(.redirectRefused, redacted, "redirect to \(Location.redact(reference)) refused: \(reason)")
        }
        let parts = try URLParts()
        try parts.set(text, or: refuse)
        try parts.set(reference, or: refuse)
        return try Location(parts, or: refuse)
    }

    private init(_ parts: borrowing URLParts, or refuse: (String) -> HTTPError) throws(HTTPError) {
        parts.dropFragment()
        let scheme = try parts.get(CURLUPART_SCHEME)?.lowercased() ?? ""
        guard scheme == "https" || scheme == "http" else { throw refuse("unsupported scheme '\(scheme)'") }
        guard let text = try parts.get(CURLUPART_URL), let host = try parts.get(CURLUPART_HOST),
            let port = try parts.get(CURLUPART_PORT, orDefault: true).flatMap({ UInt16($0) })
        else { throw refuse("the URL has no valid host") }
        self.text = text
        self.scheme = scheme
        self.host = host.lowercased().filter { $0 != "[" && $0 != "]" }
        self.port = port
        redacted = Location.redact(text)
    }

    /// The host as an address; nil if it is a name.
    var literalAddress: NetworkAddress? { NetworkAddress(host) }

    /// True if both have the same scheme, host and port, so secrets for one may be sent to the other.
    func hasSameOrigin(as other: Location) -> Bool { (scheme, host, port) == (other.scheme, other.host, other.port) }

    /// Returns the text up to its query, without user and password, even if it is not a URL; of a file URL, the path.
    static func redact(_ text: String) -> String {
        if text.hasPrefix("file://") { return String(text.dropFirst(7)) }
        let end = text.firstIndex { $0 == "?" || $0 == "#" } ?? text.endIndex
        var shown = String(text[..<end])
        if let slashes = shown.firstRange(of: "://") {
            let authority = shown[slashes.upperBound...].prefix { $0 != "/" }
            if let at = authority.lastIndex(of: "@") { shown.removeSubrange(slashes.upperBound...at) }
        }
        return end == text.endIndex ? shown : shown + "?..."
    }
}

/// Returns the absolute URL of a link in a document with the URL `base`; nil if it is not an http or https URL.
package func webAddress(_ link: String, base: String?) -> String? {
    let refuse = { (reason: String) in HTTPError(.invalidRequest, link, reason) }
    do throws(HTTPError) {
        let parts = try URLParts()
        if let base { try parts.set(base, or: refuse) }
        try parts.set(link, or: refuse)
        let scheme = try parts.get(CURLUPART_SCHEME)?.lowercased()
        return scheme == "https" || scheme == "http" ? try parts.get(CURLUPART_URL) : nil
    } catch {
        return nil
    }
}

/// Returns whether both URLs have the same scheme, host and port.
package func haveSameOrigin(_ first: String, _ second: String) -> Bool {
    guard let first = try? Location(first), let second = try? Location(second) else { return false }
    return first.hasSameOrigin(as: second)
}

/// Owns a URL handle of libcurl.
private struct URLParts: ~Copyable {
    private let handle: OpaquePointer

    init() throws(HTTPError) {
        guard let handle = curl_url() else { throw Self.noMemory }
        self.handle = handle
    }

    deinit { curl_url_cleanup(handle) }

    /// Parses a URL. If the handle already has one, a relative URL is resolved against it. Afterwards, the host is in ASCII.
    func set(_ text: String, or refuse: (String) -> HTTPError) throws(HTTPError) {
        guard !text.utf8.contains(0) else { throw refuse("the URL contains a zero byte") }
        var text = escaped(text)
        // The URL that is checked must be one that libcurl does not change: of an escaped number such as %30x7f000001, it
        // only makes an address when it parses its result again.
        for _ in 0..<4 {
            try parse(text, or: refuse)
            try convertHost(or: refuse)
            guard let normal = try get(CURLUPART_URL), normal != text else { return }
            text = normal
        }
        throw refuse("the URL is malformed")
    }

    private func parse(_ text: String, or refuse: (String) -> HTTPError) throws(HTTPError) {
        // Credentials in a URL would be in logs and process lists.
        let flags = CURLU_URLENCODE | CURLU_DISALLOW_USER | CURLU_NON_SUPPORT_SCHEME
        let code = curl_url_set(handle, CURLUPART_URL, text, UInt32(flags))
        if code == CURLUE_OUT_OF_MEMORY { throw Self.noMemory }
        if code == CURLUE_USER_NOT_ALLOWED { throw refuse("the URL must not contain a user name or password") }
        if code != CURLUE_OK { throw refuse("the URL is malformed (\(String(cString: curl_url_strerror(code))))") }
    }

    /// Converts an international host name to punycode.
    private func convertHost(or refuse: (String) -> HTTPError) throws(HTTPError) {
        guard let host = try get(CURLUPART_HOST) else { return }
        // libcurl has removed the escapes. An IPv6 address may have a zone.
        let isEscaped = host.contains("%") && !host.hasPrefix("[")
        if !isEscaped && host.utf8.allSatisfy({ $0 < 0x80 }) { return }
        var name: UnsafeMutablePointer<CChar>?
        defer { curl_free(name) }
        // The codes do not show an invalid name: libcurl 7.88 reports missing memory. Some characters, such as one for "a/c",
        // become several that no host may have.
        guard !isEscaped, ccurl_url_get_punycode(handle, &name) == CURLUE_OK,
            curl_url_set(handle, CURLUPART_HOST, name, 0) == CURLUE_OK
        else { throw refuse("the name of the host is not valid") }
    }

    private static var noMemory: HTTPError { HTTPError(.outOfResources, "a URL", "out of memory") }

    func dropFragment() { curl_url_set(handle, CURLUPART_FRAGMENT, nil, 0) }

    func get(_ part: CURLUPart, orDefault: Bool = false) throws(HTTPError) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        let flags = orDefault ? CURLU_DEFAULT_PORT : 0
        let code = curl_url_get(handle, part, &text, UInt32(flags))
        if code == CURLUE_OUT_OF_MEMORY { throw Self.noMemory }
        guard code == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }
}

/// Returns the text with all bytes except ASCII escaped, as releases of libcurl differ in the case of the digits.
private func escaped(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    return text.utf8.reduce(into: "") { escaped, byte in
        escaped += byte < 0x80 ? String(Unicode.Scalar(byte)) : "%" + String(byte, radix: 16, uppercase: true)
    }
}
