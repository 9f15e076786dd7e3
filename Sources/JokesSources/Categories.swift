import JokesCore

/// Checks that `place`, which is a service or a source, has all configured categories, which are in lower case.
///
/// - Throws: `SourceError` with code `misconfigured`, which lists the known categories in their order.
func check(_ categories: [String], known: [String], of place: String) throws(SourceError) {
    let unknown = categories.first { category in
        !isPlainWord(category) || !known.contains { $0.lowercased() == category }
    }
    guard let unknown else { return }
    throw SourceError(
        .misconfigured,
        "\(place) has no category '\(unknown)': use one of \(known.prefix(40).joined(separator: ", "))")
}

/// Whether the text needs no escaping in a URL.
func isPlainWord(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
        && text.utf8.allSatisfy { $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
}
