import Unix

/// The address of a service in the notation of varlink.org: `unix:/run/example.sock`, `unix:@example`.
///
/// The prefix `unix:` may be missing. With the prefix, `;mode=0660` sets the mode of the socket for a service; clients
/// ignore it. Also with the prefix, `%3B` in the path is a `;`, `%25` is a `%`, and so on for every byte. The transports `tcp:`, `device:` and `exec:` are not supported.
public struct VarlinkAddress: Sendable, Hashable, CustomStringConvertible {
    /// A path, or `@` and a name in the abstract namespace of the kernel.
    public let path: String
    /// The mode of the socket's file; nil if the address has none.
    public let mode: UInt32?

    /// Reads an address.
    ///
    /// - Throws: `VarlinkError.invalidAddress` with the reason.
    public init(_ text: String) throws(VarlinkError) {
        func invalid(_ reason: String) -> VarlinkError { .invalidAddress(address: text, reason: reason) }
        var mode: UInt32?
        if let scheme = Self.scheme(of: text) {
            guard scheme == "unix" else { throw invalid("scheme '\(scheme)' is not supported, use unix:PATH") }
            var parts = Self.split(String(decoding: text.utf8.dropFirst(5), as: UTF8.self), at: UInt8(ascii: ";"))
            guard let path = Self.decoded(parts.removeFirst()) else {
                throw invalid("'%' must begin an escape of UTF-8 text, such as %25 for '%'")
            }
            self.path = path
            for part in parts {
                guard part.hasPrefix("mode=") else {
                    throw invalid("unknown property '\(part)', only mode=MODE is supported")
                }
                guard mode == nil else { throw invalid("mode is given twice") }
                mode = Self.mode(part.dropFirst(5))
                guard mode != nil else { throw invalid("mode must have 3 or 4 octal digits, up to 0777") }
            }
        } else {
            path = text
        }
        self.mode = mode
        if let problem = Self.problem(with: path, mode: mode) { throw invalid(problem) }
    }

    // By bytes: a combining mark after a colon belongs to the name.

    /// The text before the first colon, if it is not part of a path or a name.
    private static func scheme(of text: String) -> String? {
        guard let first = text.utf8.first, !"/@.".utf8.contains(first), text.utf8.contains(UInt8(ascii: ":")) else {
            return nil
        }
        return split(text, at: UInt8(ascii: ":"))[0]
    }

    private static func split(_ text: String, at byte: UInt8) -> [String] {
        text.utf8.split(separator: byte, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the text without percent escapes; nil if one is invalid.
    private static func decoded(_ text: String) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, let value = UInt8(String(Substring(digits)), radix: 16), digits.first != 0x2B
            else {
                return nil
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func mode(_ digits: Substring) -> UInt32? {
        guard 3...4 ~= digits.utf8.count, digits.utf8.allSatisfy({ 0x30...0x37 ~= $0 }) else { return nil }
        return UInt32(digits, radix: 8).flatMap { $0 <= 0o777 ? $0 : nil }
    }

    private static func problem(with path: String, mode: UInt32?) -> String? {
        let isAbstract = path.utf8.first == UInt8(ascii: "@")
        if path.isEmpty || path == "@" { return "the socket name is missing" }
        if path.utf8.contains(0) { return "it contains a NUL byte" }
        if isAbstract && mode != nil { return "an abstract socket has no mode" }
        // The kernel takes 108 bytes, and a path ends with a NUL.
        let limit = isAbstract ? 108 : 107
        return path.utf8.count > limit ? "longer than \(limit) bytes" : nil
    }

    /// Connects to the address or listens at it.
    ///
    /// - Throws: `VarlinkError.unreachable`.
    func open<Result>(_ body: (SocketAddress) throws(SystemError) -> Result) throws(VarlinkError) -> Result {
        do throws(SystemError) {
            return try body(SocketAddress(path))
        } catch {
            // An error of another file, such as the lock file, has its name.
            let reason = error.subject == path ? error.reason : error.description
            throw .unreachable(address: path, reason: reason, errno: error.code)
        }
    }

    /// The address in the notation of varlink.org.
    public var description: String {
        let digits = mode.map { String($0, radix: 8) }
        let escaped = path.replacing("%", with: "%25").replacing(";", with: "%3B")
        return "unix:\(escaped)" + (digits.map { ";mode=\(String(repeating: "0", count: 4 - $0.count))\($0)" } ?? "")
    }
}
