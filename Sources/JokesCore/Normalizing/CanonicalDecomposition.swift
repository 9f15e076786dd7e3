/// Returns a text in Unicode's decomposed form (NFD) of version 15.0, in UTF-8. Canonically equivalent texts are equal. O(n),
/// except for long rows of marks that are not in order.
func canonicalDecomposition(of text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    guard var index = bytes.firstIndex(where: { $0 >= 0x80 }) else { return bytes }
    var decomposition = CanonicalDecomposition(bytes[..<index], capacity: bytes.count * 5 / 4)
    while index < bytes.count {
        let (scalar, end) = bytes.scalar(at: index)
        decomposition.append(scalar)
        index = end
    }
    return decomposition.finish()
}

private struct CanonicalDecomposition {
    private var bytes: [UInt8] = []
    /// The marks since the last scalar whose combining class is 0, in the order of their classes.
    private var marks: [(scalar: Unicode.Scalar, combiningClass: UInt8)] = []

    init(_ ascii: ArraySlice<UInt8>, capacity: Int) {
        bytes.reserveCapacity(capacity)
        bytes.append(contentsOf: ascii)
    }

    mutating func append(_ scalar: Unicode.Scalar) {
        if scalar.isASCII { return appendStarter(scalar) }
        let letter = Letter(scalar)
        guard letter.kind == .decomposable else { return append(scalar, letter.combiningClass) }
        letter.forEachPart { append($0, $0.isASCII ? 0 : Letter($0).combiningClass) }
    }

    mutating func finish() -> [UInt8] {
        endMarks()
        return bytes
    }

    private mutating func append(_ scalar: Unicode.Scalar, _ combiningClass: UInt8) {
        if combiningClass == 0 { return appendStarter(scalar) }
        let index = marks.lastIndex { $0.combiningClass <= combiningClass }.map { $0 + 1 } ?? 0
        marks.insert((scalar, combiningClass), at: index)
    }

    private mutating func appendStarter(_ scalar: Unicode.Scalar) {
        if !marks.isEmpty { endMarks() }
        bytes.append(scalar)
    }

    private mutating func endMarks() {
        for mark in marks { bytes.append(mark.scalar) }
        marks.removeAll(keepingCapacity: true)
    }
}
