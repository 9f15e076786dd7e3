/// The text in Unicode's composed form (NFC): one spelling for all that are canonically equivalent.
///
/// O(n); no copy where the text has the form already.
func canonicalForm(_ text: String) -> String {
    var bytes = text.utf8Span
    if bytes.isKnownASCII || bytes.checkForNFC(quickCheck: true) { return text }
    // The standard library's own door to it, public for Foundation's sake. The check above is in the language's
    // documented surface, the making is not yet; FoundationEssentials does not offer it either.
    return String(decoding: text._nfcCodeUnits, as: UTF8.self)
}
