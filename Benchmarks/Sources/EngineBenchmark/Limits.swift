import FoundationEssentials

/// An identifier that can be read as two words.
protocol BitwiseIdentifier: BenchmarkIdentifier {
    var words: (UInt64, UInt64) { get }
}

extension Bits: BitwiseIdentifier {
    var words: (UInt64, UInt64) { (high, low) }
}

extension UUID: BitwiseIdentifier {
    var words: (UInt64, UInt64) {
        withUnsafeBytes(of: uuid) { bytes in
            (bytes.loadUnaligned(as: UInt64.self), bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
    }
}

/// Lower limits for every engine that does the same work: the time of this machine to compare, copy, hash and look up
/// 100,000 identifiers once.
struct Limits<ID: BenchmarkIdentifier> {
    private let ids: [ID]
    private let same: [ID]

    init(count: Int) {
        ids = (0..<count).map(ID.init(number:))
        same = (0..<count).map(ID.init(number:))
    }

    /// The limits for every kind of identifier.
    var general: [Contender] {
        let (ids, same) = (ids, same)
        return [
            limit("compare", is: true) { ids == same },
            limit("copy", is: ids) { ids.withUnsafeBufferPointer(Array.init) },
            limit("siphash", is: nil) {
                ids.reduce(into: 0) { $0 ^= $1.hashValue }
            },
            limit("dictionary", is: nil) {
                var places: [ID: Int] = [:]
                for (place, id) in ids.enumerated() { places[id] = place }
                return places
            },
        ]
    }

    private func limit<Output: Equatable>(
        _ name: String, is expected: Output?, _ body: @escaping () -> Output
    ) -> Contender {
        Contender("limit-\(name)", on: Catalogue.limits, ids: ID.kind, prepare: {}, body: { _ in body() }) {
            _, output in
            try WrongResult.unless(expected.map { $0 == output } ?? true, "limit-\(name): wrong")
            return nil
        }
    }
}

extension Limits where ID: BitwiseIdentifier {
    /// Additional limits for identifiers that are plain bits.
    var all: [Contender] {
        let (ids, same) = (ids, same)
        return general + [
            limit("multiply-hash", is: nil) { ids.reduce(0) { $0 ^ Self.multiplyHash($1) } },
            limit("open-addressing", is: ids.count) { Self.found(same, in: ids) },
        ]
    }

    private static func multiplyHash(_ id: ID) -> UInt64 {
        let (first, second) = id.words
        let product = (first ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: second | 1)
        return product.high ^ product.low
    }

    /// Fills a table with the positions of `known`, and counts the found elements of `sought`.
    private static func found(_ sought: [ID], in known: [ID]) -> Int {
        var capacity = 1
        while capacity < known.count * 2 { capacity *= 2 }
        let mask = capacity - 1
        var table = [UInt32](repeating: .max, count: capacity)
        for (place, id) in known.enumerated() {
            var slot = Int(truncatingIfNeeded: multiplyHash(id)) & mask
            while table[slot] != .max { slot = (slot + 1) & mask }
            table[slot] = UInt32(place)
        }
        return sought.count { id in
            var slot = Int(truncatingIfNeeded: multiplyHash(id)) & mask
            while table[slot] != .max, known[Int(table[slot])] != id { slot = (slot + 1) & mask }
            return table[slot] != .max
        }
    }
}
