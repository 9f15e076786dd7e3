import Glibc

/// An IPv4 or IPv6 address.
package struct NetworkAddress: Hashable, Sendable, CustomStringConvertible {
    /// 4 or 16 bytes, in network order.
    let bytes: [UInt8]

    init(bytes: [UInt8]) { self.bytes = bytes }

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

    /// Reads a whole socket address, which is longer than `sockaddr` for IPv6; nil if it is of another family.
    init?(socketAddress storage: UnsafeRawBufferPointer) {
        guard storage.count >= MemoryLayout<sockaddr_in>.size else { return nil }
        switch Int32(storage.loadUnaligned(as: sockaddr.self).sa_family) {
        case AF_INET:
            let offset = MemoryLayout<sockaddr_in>.offset(of: \.sin_addr)!
            bytes = Array(storage[offset..<(offset + 4)])
        case AF_INET6 where storage.count >= MemoryLayout<sockaddr_in6>.size:
            let offset = MemoryLayout<sockaddr_in6>.offset(of: \.sin6_addr)!
            bytes = Array(storage[offset..<(offset + 16)])
        default: return nil
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
package struct AddressBlock: Hashable, Sendable, CustomStringConvertible {
    private let address: NetworkAddress
    private let length: Int

    package var description: String { "\(address)/\(length)" }

    /// Reads the notation of `description`.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let address = NetworkAddress(parts[0]), let length = Int(parts[1]),
            (0...(address.bytes.count * 8)).contains(length)
        else { return nil }
        (self.address, self.length) = (address, length)
    }

    func contains(_ other: NetworkAddress) -> Bool {
        let whole = length / 8
        guard other.bytes.count == address.bytes.count, other.bytes[..<whole] == address.bytes[..<whole] else {
            return false
        }
        let mask = ~(UInt8.max >> UInt8(length % 8))
        return mask == 0 || (other.bytes[whole] ^ address.bytes[whole]) & mask == 0
    }
}

/// The reach of an address, which decides whether a request may connect to it. The raw value follows "is" in messages.
package enum AddressScope: String, Sendable {
    /// A host on the public internet.
    case global = "a public address"
    case unspecified = "the unspecified address"
    case loopback = "a loopback address"
    case privateUse = "a private address"
    case carrierGrade = "an address inside a carrier's network"
    case linkLocal = "a link-local address"
    case multicast = "a multicast address"
    /// Not of a host: documentation, benchmarks, protocol assignments, and unassigned addresses.
    case reserved = "a reserved address"

    /// True if a request that may use the local network may connect to it.
    var isLocal: Bool {
        switch self {
        case .unspecified, .loopback, .privateUse, .carrierGrade, .linkLocal: true
        case .global, .multicast, .reserved: false
        }
    }
}

extension NetworkAddress {
    /// The scope of the address, from the IANA registries of special-purpose addresses. An IPv6 address that contains an
    /// IPv4 address (mapped, NAT64, 6to4) has the scope of the latter.
    package var scope: AddressScope {
        if let embedded { return embedded.scope }
        if let entry = specialBlock { return entry.scope }
        // Global unicast addresses are only assigned from 2000::/3.
        return bytes.count == 4 || bytes[0] & 0xe0 == 0x20 ? .global : .reserved
    }

    /// Returns the block of an address that is not global, for the configuration.
    var block: AddressBlock {
        embedded?.block ?? specialBlock?.block ?? AddressBlock("\(self)/\(bytes.count * 8)")!  // the notation is valid
    }

    func isWithin(_ blocks: [AddressBlock]) -> Bool {
        blocks.contains { $0.contains(self) } || embedded?.isWithin(blocks) == true
    }

    private var specialBlock: (block: AddressBlock, scope: AddressScope)? {
        Self.specialBlocks.first { $0.block.contains(self) }
    }

    private var embedded: NetworkAddress? {
        if Self.mapped.contains(self) || Self.translated.contains(self) {
            return NetworkAddress(bytes: Array(bytes[12...]))
        }
        return Self.sixToFour.contains(self) ? NetworkAddress(bytes: Array(bytes[2..<6])) : nil
    }

    private static let mapped = block("::ffff:0:0/96")
    private static let translated = block("64:ff9b::/96")
    private static let sixToFour = block("2002::/16")

    private static let specialBlocks: [(block: AddressBlock, scope: AddressScope)] = [
        (block("0.0.0.0/8"), .unspecified),
        (block("10.0.0.0/8"), .privateUse),
        (block("100.64.0.0/10"), .carrierGrade),
        (block("127.0.0.0/8"), .loopback),
        (block("169.254.0.0/16"), .linkLocal),
        (block("172.16.0.0/12"), .privateUse),
        (block("192.0.0.0/24"), .reserved),
        (block("192.0.2.0/24"), .reserved),
        (block("192.88.99.0/24"), .reserved),
        (block("192.168.0.0/16"), .privateUse),
        (block("198.18.0.0/15"), .reserved),
        (block("198.51.100.0/24"), .reserved),
        (block("203.0.113.0/24"), .reserved),
        (block("224.0.0.0/4"), .multicast),
        (block("240.0.0.0/4"), .reserved),
        (block("::/128"), .unspecified),
        (block("::1/128"), .loopback),
        (block("64:ff9b:1::/48"), .privateUse),
        // This includes Teredo (2001::/32), which is out of use.
        (block("2001::/23"), .reserved),
        (block("2001:db8::/32"), .reserved),
        (block("3fff::/20"), .reserved),
        (block("fc00::/7"), .privateUse),
        (block("fe80::/10"), .linkLocal),
        (block("fec0::/10"), .privateUse),
        (block("ff00::/8"), .multicast),
    ]

    private static func block(_ text: StaticString) -> AddressBlock { AddressBlock("\(text)")! }
}
