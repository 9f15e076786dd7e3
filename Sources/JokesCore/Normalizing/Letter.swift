@_spi(_Unicode) import Swift

/// A scalar as fingerprints count it. Its properties are those of Unicode 15.0, whatever version the Swift runtime has.
struct Letter {
    enum Kind {
        /// It does not count.
        case ignored
        case letter
        /// A number, or a mark on a letter.
        case number
        /// A symbol, or a code point that Unicode 15.0 does not assign.
        case symbol
    }

    let kind: Kind
    private let scalar: Unicode.Scalar
    private let isNew: Bool

    /// Of the symbols in ASCII, the signs of sums and prices count.
    @inline(__always)
    init(_ scalar: Unicode.Scalar) {
        self.scalar = scalar
        isNew = scalar.isNew
        kind =
            switch scalar {
            case "a"..."z", "A"..."Z": .letter
            case "0"..."9": .number
            case "+", "=", "$": .symbol
            case _ where scalar.isASCII || scalar.isHidden: .ignored
            default: isNew ? .symbol : Self.kind(of: scalar.properties.generalCategory)
            }
    }

    private static func kind(of category: Unicode.GeneralCategory) -> Kind {
        switch category {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: .letter
        case .decimalNumber, .letterNumber, .otherNumber, .nonspacingMark, .spacingMark, .enclosingMark: .number
        case .mathSymbol, .currencySymbol, .otherSymbol: .symbol
        default: .ignored
        }
    }

    /// The canonical combining class.
    var combiningClass: UInt8 { isNew ? 0 : scalar.properties.canonicalCombiningClass.rawValue }

    /// Calls the closure with each scalar of the case folding: by way of the uppercase, so that `ß` equals `SS` and `ς` equals
    /// `Σ`. The scalar must be in its decomposed form.
    func forEachCaseFolded(_ body: (Unicode.Scalar) -> Void) {
        if !scalar.properties.changesWhenCaseMapped || isNew { return body(scalar) }
        for upper in scalar.properties.uppercaseMapping.unicodeScalars {
            for folded in upper.properties.lowercaseMapping.unicodeScalars { body(folded) }
        }
    }

    /// Appends the case folding in UTF-8. The scalar must be in its decomposed form.
    @inline(__always)
    func appendCaseFolded(to bytes: inout [UInt8]) {
        if scalar.isASCII {
            bytes.append(UInt8(truncatingIfNeeded: scalar.value) | (kind == .letter ? 0x20 : 0))
        } else {
            forEachCaseFolded { bytes.append($0) }
        }
    }
}

/// Returns a text in Unicode's decomposed form (NFD) of version 15.0, in UTF-8. Canonically equivalent texts are equal. O(n),
/// except for long rows of marks that are not in order.
func canonicalDecomposition(of text: String) -> [UInt8] {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return Array(text.utf8) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count * 5 / 4)
    var rest = text.unicodeScalars[...]
    while !rest.isEmpty {
        let known = rest.prefix { !$0.isNew }
        // The standard library has this for Foundation. There is no documented function for it.
        for scalar in String(known)._nfd { bytes.append(scalar) }
        rest = rest[known.endIndex...]
        if let new = rest.popFirst() { bytes.append(new) }
    }
    return bytes
}

extension Unicode.Scalar {
    /// True if Unicode 15.0 does not assign it: it stands for itself. The first of these is U+0378.
    var isNew: Bool { value >= 0x378 && properties.age.map { $0 > (15, 0) } ?? true }

    /// The full canonical decomposition; nil if the scalar stands for itself.
    var canonicalParts: [Unicode.Scalar]? {
        var parts = String(self)._nfd.makeIterator()
        guard let first = parts.next(), first != self, !isNew else { return nil }
        return [first] + IteratorSequence(parts)
    }
}
