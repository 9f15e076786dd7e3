/// The sentence as it follows a colon: without a capital at the start or a period at the end.
///
/// A first word in capitals, such as `JSON`, stays as it is.
package func clause(of sentence: String) -> String {
    let open = sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
    guard let first = open.first, open.dropFirst().first?.isUppercase != true else { return open }
    return first.lowercased() + open.dropFirst()
}
