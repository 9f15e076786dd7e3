/// The reach of an address, which decides whether a source may connect to it.
package enum AddressScope: Sendable {
    /// A host on the public internet.
    case global
    case unspecified, loopback, privateUse, carrierGrade, linkLocal
    case multicast
    /// Not of a host: documentation, benchmarks, protocol assignments, and unassigned addresses.
    case reserved

    /// Whether a source that may use the local network may connect to it.
    package var isLocal: Bool {
        switch self {
        case .unspecified, .loopback, .privateUse, .carrierGrade, .linkLocal: true
        case .global, .multicast, .reserved: false
        }
    }

    /// The words after "is": `a private address`.
    package var words: String {
        switch self {
        case .global: "a public address"
        case .unspecified: "the unspecified address"
        case .loopback: "a loopback address"
        case .privateUse: "a private address"
        case .carrierGrade: "an address inside a carrier's network"
        case .linkLocal: "a link-local address"
        case .multicast: "a multicast address"
        case .reserved: "a reserved address"
        }
    }
}

extension NetworkAddress {
    /// The scope of the address, from the IANA registries of special-purpose addresses.
    ///
    /// An IPv6 address that contains an IPv4 address (mapped, NAT64, 6to4) has the scope of the latter.
    package var scope: AddressScope {
        if let embedded { return embedded.scope }
        let table = bytes.count == 4 ? Self.special4 : Self.special6
        if let entry = table.first(where: { $0.block.contains(self) }) { return entry.scope }
        // Global unicast addresses are only assigned from 2000::/3.
        return bytes.count == 4 || bytes[0] & 0xe0 == 0x20 ? .global : .reserved
    }

    private var embedded: NetworkAddress? {
        guard bytes.count == 16 else { return nil }
        if Self.mapped.contains(self) || Self.translated.contains(self) {
            return NetworkAddress(bytes: Array(bytes[12...]))
        }
        return Self.sixToFour.contains(self) ? NetworkAddress(bytes: Array(bytes[2..<6])) : nil
    }

    private static let mapped = block("::ffff:0:0/96")
    private static let translated = block("64:ff9b::/96")
    private static let sixToFour = block("2002::/16")

    /// The first block that contains an address counts.
    private static let special4: [(block: AddressBlock, scope: AddressScope)] = [
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
    ]

    private static let special6: [(block: AddressBlock, scope: AddressScope)] = [
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

    private static func block(_ text: StaticString) -> AddressBlock {
        AddressBlock("\(text)")!
    }
}
