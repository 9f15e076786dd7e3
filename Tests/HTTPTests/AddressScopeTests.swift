import HTTP
import Testing

@Suite struct AddressScopeTests {
    @Test(
        "the scope of an address is that of the registries, at both ends of each block",
        arguments: [
            ("8.8.8.8", AddressScope.global), ("1.0.0.0", .global), ("223.255.255.255", .global),
            ("0.0.0.0", .unspecified), ("0.255.255.255", .unspecified),
            ("9.255.255.255", .global), ("10.0.0.0", .privateUse), ("10.255.255.255", .privateUse),
            ("11.0.0.0", .global),
            ("100.63.255.255", .global), ("100.64.0.0", .carrierGrade), ("100.127.255.255", .carrierGrade),
            ("100.128.0.0", .global),
            ("126.255.255.255", .global), ("127.0.0.1", .loopback), ("127.255.255.255", .loopback),
            ("128.0.0.0", .global),
            ("169.253.255.255", .global), ("169.254.169.254", .linkLocal), ("169.255.0.0", .global),
            ("172.15.255.255", .global), ("172.16.0.0", .privateUse), ("172.31.255.255", .privateUse),
            ("172.32.0.0", .global),
            ("192.0.0.1", .reserved), ("192.0.2.1", .reserved), ("192.88.99.1", .reserved), ("192.0.1.0", .global),
            ("192.167.255.255", .global), ("192.168.0.0", .privateUse), ("192.168.255.255", .privateUse),
            ("192.169.0.0", .global),
            ("198.17.255.255", .global), ("198.18.0.0", .reserved), ("198.19.255.255", .reserved),
            ("198.20.0.0", .global),
            ("198.51.100.7", .reserved), ("203.0.113.7", .reserved),
            ("224.0.0.1", .multicast), ("239.255.255.255", .multicast), ("240.0.0.0", .reserved),
            ("255.255.255.255", .reserved),
            ("2606:4700:4700::1111", .global), ("2001:4860:4860::8888", .global),
            ("::", .unspecified), ("::1", .loopback), ("::2", .reserved), ("::127.0.0.1", .reserved),
            ("fc00::1", .privateUse), ("fdff:ffff::1", .privateUse), ("fe80::1", .linkLocal), ("febf::1", .linkLocal),
            ("fec0::1", .privateUse), ("ff02::1", .multicast),
            ("2001::1", .reserved), ("2001:1ff:ffff::", .reserved), ("2001:200::", .global), ("2001:db8::1", .reserved),
            ("3fff::1", .reserved), ("3ffe::1", .global), ("4000::1", .reserved), ("100::1", .reserved),
        ])
    func scope(_ text: String, _ scope: AddressScope) throws {
        #expect(try #require(NetworkAddress(text)).scope == scope)
    }

    @Test(
        "an IPv6 address that contains an IPv4 address has the scope of the latter",
        arguments: [
            ("::ffff:127.0.0.1", AddressScope.loopback), ("::ffff:10.1.2.3", .privateUse), ("::ffff:8.8.8.8", .global),
            ("::ffff:169.254.169.254", .linkLocal),
            ("64:ff9b::192.168.1.1", .privateUse), ("64:ff9b::8.8.8.8", .global), ("64:ff9b:1::8.8.8.8", .privateUse),
            ("2002:7f00:1::1", .loopback), ("2002:a00:1::", .privateUse), ("2002:808:808::1", .global),
            ("2002:6440:1::1", .carrierGrade),
        ])
    func embedded(_ text: String, _ scope: AddressScope) throws {
        #expect(try #require(NetworkAddress(text)).scope == scope)
    }

    @Test("only sources that allow local addresses may use them; none may use multicast and reserved ones")
    func refusal() throws {
        let refused = { (text: String, allowed: Bool) in
            try #require(NetworkAddress(text)).refusal(allowed ? .allowed : .denied) != nil
        }
        for local in ["127.0.0.1", "0.0.0.0", "10.0.0.1", "100.64.0.1", "169.254.1.1", "::1", "fd00::1", "fe80::1"] {
            #expect(try refused(local, false))
            #expect(try !refused(local, true))
        }
        for nobody in ["224.0.0.1", "240.0.0.1", "203.0.113.1", "ff02::1", "2001:db8::1"] {
            #expect(try refused(nobody, false))
            #expect(try refused(nobody, true))
        }
        #expect(try !refused("9.9.9.9", false))
    }

    @Test(
        "a malformed address is nil",
        arguments: ["", "1.2.3", "1.2.3.4.5", "256.1.1.1", "::g", "example.org", "1.2.3.4 "])
    func malformed(_ text: String) {
        #expect(NetworkAddress(text) == nil)
    }

    @Test("an address is printed as it is written", arguments: ["192.0.2.1", "2001:db8::1", "::", "::ffff:1.2.3.4"])
    func description(_ text: String) throws {
        #expect(try #require(NetworkAddress(text)).description == text)
        #expect(text.contains(":") ? NetworkAddress("[\(text)]") == NetworkAddress(text) : true)
    }
}
