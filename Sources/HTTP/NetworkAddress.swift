import Glibc

/// An IPv4 or IPv6 address.
package struct NetworkAddress: Hashable, Sendable, CustomStringConvertible {
    /// 4 or 16 bytes, in network order.
    package let bytes: [UInt8]

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Reads the notations of inet_pton(3), IPv6 with or without brackets.
    package init?(_ text: some StringProtocol) {
        var buffer = [UInt8](repeating: 0, count: 16)
        if text.contains(":") {
            let bare = text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : String(text)
            guard inet_pton(AF_INET6, bare, &buffer) == 1 else { return nil }
            bytes = buffer
        } else {
            guard inet_pton(AF_INET, String(text), &buffer) == 1 else { return nil }
            bytes = Array(buffer[..<4])
        }
    }

    /// Reads a socket address of a resolver; nil if it is of another family.
    ///
    /// - Parameter storage: The whole structure. For IPv6, it is longer than `sockaddr`.
    init?(socketAddress storage: UnsafeRawBufferPointer) {
        guard storage.count >= MemoryLayout<sockaddr_in>.size else { return nil }
        switch Int32(storage.loadUnaligned(as: sockaddr.self).sa_family) {
        case AF_INET:
            let offset = MemoryLayout<sockaddr_in>.offset(of: \.sin_addr)!
            bytes = Array(storage[offset..<(offset + 4)])
        case AF_INET6 where storage.count >= MemoryLayout<sockaddr_in6>.size:
            let offset = MemoryLayout<sockaddr_in6>.offset(of: \.sin6_addr)!
            bytes = Array(storage[offset..<(offset + 16)])
        default:
            return nil
        }
    }

    /// The notation of inet_ntop(3).
    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        // Cannot fail: the bytes match the family, and the buffer is large enough.
        inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count))
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// The addresses with a common prefix, such as `10.0.0.0/8`.
struct AddressBlock: Sendable {
    private let address: NetworkAddress
    private let length: Int

    /// Reads an address, a slash and a number of bits.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let address = NetworkAddress(parts[0]), let length = Int(parts[1]),
            (0...(address.bytes.count * 8)).contains(length)
        else { return nil }
        self.address = address
        self.length = length
    }

    func contains(_ other: NetworkAddress) -> Bool {
        guard other.bytes.count == address.bytes.count else { return false }
        let whole = length / 8
        guard other.bytes[..<whole] == address.bytes[..<whole] else { return false }
        let mask = ~(UInt8.max >> UInt8(length % 8))
        return mask == 0 || (other.bytes[whole] ^ address.bytes[whole]) & mask == 0
    }
}
