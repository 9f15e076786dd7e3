import JSON5
import JokesCore

// The configuration has only references to secrets. Messages never quote a text that may be a secret.

extension Rule where Value == SecretReference {
    /// The rule for a reference: `@file:/path` or `@credential:name`.
    static var secret: Rule {
        .checking { value throws(InvalidValue) in
            guard case .string(let text) = value.value else { throw InvalidValue(invalidReferenceMessage) }
            if let reference = SecretReference(configured: text) { return reference }
            throw InvalidValue(text.hasPrefix("@") ? invalidReferenceMessage : inlineSecretMessage)
        }
    }
}

private let invalidReferenceMessage = #"invalid secret reference: write "@file:/path/to/file" or "@credential:name""#
private let inlineSecretMessage =
    #"secret in the configuration: move it to its own file and write "@file:/path/to/file""#

extension SecretReference {
    /// Parses `@file:/path` or `@credential:name`; nil for other texts.
    fileprivate init?(configured text: String) {
        if let path = text.droppingPrefix("@file:").flatMap({ expandedPath(String($0)) }) {
            self = .file(path)
        } else if let name = text.droppingPrefix("@credential:"), name.isCredentialName {
            self = .credential(String(name))
        } else {
            return nil
        }
    }
}

extension Rule where Value == [SentField] {
    /// The rule for an object with any members, in their order. `problem` returns the error message for an invalid name or
    /// text, which the message must not quote; nil if both are valid.
    static func fields(_ problem: @escaping (_ name: String, _ text: String) -> String? = { _, _ in nil }) -> Rule {
        .members { member, keyPath, problems in
            Rule<SentValue>.fieldValue(named: member.key) { problem(member.key, $0) }
                .read(member.value, keyPath, &problems).map { SentField(member.key, $0) }
        }
    }
}

extension Rule where Value == [SentField] {
    /// The rule for an object of headers.
    static var headers: Rule { .fields(problemWithHeader) }
}

/// Returns the error message for a header; nil if its name and text are valid.
private func problemWithHeader(named name: String, _ text: String) -> String? {
    let reservedHeaders: Set = [
        "accept-encoding", "connection", "content-length", "expect", "host", "if-modified-since", "if-none-match",
        "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    ]
    if reservedHeaders.contains(name.lowercased()) { return "jokesd sets this header: remove it" }
    let isToken = name.utf8.allSatisfy { $0.isASCIILetterOrDigit || "-_.".utf8.contains($0) }
    guard isToken && (1...100).contains(name.utf8.count) else {
        return "invalid header name: use 1 to 100 characters of a-z, 0-9, -, _ and ."
    }
    return text.utf8.count <= 1000 && text.utf8.allSatisfy { $0 == 0x20 || $0.isGraphic }
        ? nil : "use at most 1000 printable ASCII characters"
}

extension Rule where Value == SentValue {
    /// The rule for a text, a secret, or a text followed by a secret. Some names require a secret.
    fileprivate static func fieldValue(named name: String, _ problem: @escaping (String) -> String?) -> Rule {
        .checking { value throws(InvalidValue) in
            guard case .string(let text) = value.value else { throw InvalidValue("expected text in quotes") }
            let sent: SentValue
            if let start = text.startOfReference {
                guard let secret = SecretReference(configured: String(text[start...])) else {
                    throw InvalidValue(invalidReferenceMessage)
                }
                sent = SentValue(String(text[..<start]), secret: secret)
            } else if isNameOfSecret(name) {
                throw InvalidValue(inlineSecretMessage)
            } else {
                sent = SentValue(text)
            }
            if let problem = problem(sent.text) { throw InvalidValue(problem) }
            return sent
        }
    }
}

/// Returns true if the value of a field with this name is a secret: `X-Api-Key`, `Authorization`, `access_token`.
private func isNameOfSecret(_ name: String) -> Bool {
    let secrets: Set = [
        "apikey", "auth", "authorization", "cookie", "key", "passwd", "password", "pwd", "secret", "token",
    ]
    let words = name.lowercased().split { !$0.isLetter }
    return words.contains { secrets.contains(String($0)) }
}

extension Rule where Value == Configuration.Network.Proxy {
    /// The rule for a proxy: its URL without user and password, a reference to its URL, or `none`.
    static var proxy: Rule {
        .checking { value throws(InvalidValue) in
            let invalid = InvalidValue(
                #"invalid proxy: write "none", "http://proxy.example.org:3128" or "socks5h://127.0.0.1:1080""#)
            guard case .string(let text) = value.value else { throw invalid }
            if text == "none" { return .direct }
            if text.hasPrefix("@") {
                if let reference = SecretReference(configured: text) { return .reference(reference) }
                throw InvalidValue(#"invalid proxy reference: write "@file:/path/to/file" or "@credential:name""#)
            }
            let schemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]
            guard let scheme = schemes.first(where: { text.hasPrefix("\($0)://") }) else { throw invalid }
            let authority = text.dropFirst(scheme.count + 3).prefix { $0 != "/" }
            if authority.contains("@") {
                throw InvalidValue(
                    "user name and password in the configuration: move the URL to its own file and write "
                        + #""@file:/path/to/file""#)
            }
            guard !authority.isEmpty && text.utf8.allSatisfy(\.isGraphic) else { throw invalid }
            return .url(text)
        }
    }
}

extension String {
    fileprivate func droppingPrefix(_ start: String) -> Substring? { hasPrefix(start) ? dropFirst(start.count) : nil }

    /// The start of a reference to a secret: at the beginning, or after a space.
    fileprivate var startOfReference: String.Index? {
        if hasPrefix("@") { return startIndex }
        let spaceIndex = [" @file:", " @credential:"].compactMap { firstRange(of: $0)?.lowerBound }.min()
        return spaceIndex.map { index(after: $0) }
    }
}

extension Substring {
    /// True if systemd accepts the text as the name of a credential: a file name, not a path.
    fileprivate var isCredentialName: Bool {
        (1...255).contains(utf8.count) && utf8.allSatisfy { $0.isGraphic && $0 != UInt8(ascii: "/") }
            && self != "." && self != ".."
    }
}
