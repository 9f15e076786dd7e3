/// Returns a tag of BCP 47 in its usual case, such as `pt-BR`; nil if it is invalid. `_` is accepted for `-`, as in
/// locales.
package func languageTag(_ raw: String?) -> String? {
    guard let raw, raw.utf8.count <= 35 else { return nil }
    let subtags = raw.lowercased().split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
    guard let language = subtags.first, (2...3).contains(language.utf8.count),
        language.utf8.allSatisfy(\.isASCIILetter),
        subtags.allSatisfy({ (1...8).contains($0.utf8.count) && $0.utf8.allSatisfy(\.isASCIILetterOrDigit) })
    else { return nil }
    var isExtended = false
    let cased = subtags.dropFirst().map { subtag in
        // RFC 5646, 2.1.1: subtags after a singleton are lowercase.
        isExtended = isExtended || subtag.utf8.count == 1
        return isExtended ? String(subtag) : inCanonicalCase(subtag)
    }
    return ([String(language)] + cased).joined(separator: "-")
}

/// Returns `BR` for a region, and `Latn` for a script.
private func inCanonicalCase(_ subtag: Substring) -> String {
    switch subtag.utf8.count {
    case 2: subtag.uppercased()
    case 4: subtag.prefix(1).uppercased() + subtag.dropFirst()
    default: String(subtag)
    }
}
