package import Unix

/// The address of a service in the notation of varlink.org: `unix:/run/example.sock`, `unix:@example`.
///
/// The prefix `unix:` may be missing. With the prefix, `;mode=0660` sets the mode of the socket for a service; clients
/// ignore it. The transports `tcp:`, `device:` and `exec:` are not supported.
public struct VarlinkAddress: Sendable, Hashable {
    /// A path, or `@` and a name in the abstract namespace of the kernel.
    public let place: String
    /// The mode of the socket's file; nil if the address has none.
    public let mode: UInt32?

    /// The maximum length for the kernel, with the NUL after a path, in bytes.
    private static let maximumBytes = 108

    /// Reads an address.
    ///
    /// - Throws: `VarlinkError.invalidAddress` with the reason.
    public init(_ text: String) throws(VarlinkError) {
        func invalid(_ reason: String) -> VarlinkError { .invalidAddress(address: text, reason: reason) }
        var mode: UInt32?
        if let scheme = Self.scheme(of: text) {
            guard scheme == "unix" else { throw invalid("scheme '\(scheme)' is not supported, use unix:PATH") }
            var parts = Self.split(String(decoding: text.utf8.dropFirst(5), as: UTF8.self), at: UInt8(ascii: ";"))
            place = parts.removeFirst()
            for part in parts {
                guard mode == nil, let value = Self.mode(part) else {
                    throw invalid(Self.complaint(about: part, isSecond: mode != nil))
                }
                mode = value
            }
        } else {
            place = text
        }
        self.mode = mode
        if let problem = Self.problem(with: place, mode: mode) { throw invalid(problem) }
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

    /// Three or four octal digits after `mode=`.
    private static func mode(_ property: String) -> UInt32? {
        guard property.hasPrefix("mode="), case let digits = property.dropFirst(5), 3...4 ~= digits.utf8.count,
            digits.utf8.allSatisfy({ 0x30...0x37 ~= $0 }), let mode = UInt32(digits, radix: 8), mode <= 0o777
        else { return nil }
        return mode
    }

    private static func complaint(about property: String, isSecond: Bool) -> String {
        guard property.hasPrefix("mode=") else { return "unknown property '\(property)', only mode=MODE is supported" }
        return isSecond ? "mode is given twice" : "mode must have 3 or 4 octal digits, up to 0777"
    }

    private static func problem(with place: String, mode: UInt32?) -> String? {
        let isAbstract = place.utf8.first == UInt8(ascii: "@")
        if place.isEmpty || place == "@" { return "the socket name is missing" }
        if place.utf8.contains(0) { return "it contains a NUL byte" }
        if isAbstract && mode != nil { return "an abstract socket has no mode" }
        // A path ends with a NUL.
        let limit = isAbstract ? maximumBytes : maximumBytes - 1
        return place.utf8.count > limit ? "longer than \(limit) bytes" : nil
    }

    /// The address for system calls.
    package var socket: SocketAddress { SocketAddress(place) }
}

extension VarlinkAddress: CustomStringConvertible {
    /// The address in the notation of varlink.org.
    public var description: String {
        let digits = mode.map { String($0, radix: 8) }
        return "unix:\(place)" + (digits.map { ";mode=\(String(repeating: "0", count: 4 - $0.count))\($0)" } ?? "")
    }
}
