import JSON
import Varlink

/// Reads the bytes as an interface, as an address and as JSON.
func checkParsers(for bytes: [UInt8]) throws {
    let text = String(decoding: bytes, as: UTF8.self)
    try checkAddress(for: text)
    try checkInterface(for: text)
    try checkJSON(for: text)
}

private func checkAddress(for text: String) throws {
    guard let address = try? VarlinkAddress(text), !address.path.utf8.contains(UInt8(ascii: ";")) else { return }
    let again = try VarlinkAddress(address.description)
    try demand(again == address, "\(text) is \(address), and that is \(again)")
}

private func checkInterface(for text: String) throws {
    do throws(VarlinkError) {
        _ = try InterfaceDescription(text)
    } catch {
        guard case .invalidInterface(let line, _) = error else { throw error }
        // The line ends of ECMAScript.
        let ends: [Character] = ["\n", "\r", "\r\n", "\u{2028}", "\u{2029}"]
        let lines = text.split(omittingEmptySubsequences: false) { ends.contains($0) }.count
        return try demand(1...lines ~= line, "line \(line) of \(lines)")
    }
    // Each valid interface can be served, even if no method is implemented.
    _ = try VarlinkInterface(text, methods: [])
}

private func checkJSON(for text: String) throws {
    guard let document = try? JSONDocument(Array(text.utf8)), let value = try? document.root.decode(AnyJSON.self) else {
        return
    }
    let tolerant = try JSONDocument(document.bytes, .structure).root.decode(AnyJSON.self)
    try demand(tolerant == value, "\(text) is \(value), and by its structure \(tolerant)")
    for layout in [JSONLayout.compact, .indented] {
        let written = try JSONEncoding.encode(value, layout)
        let again = try JSONDocument(written).root.decode(AnyJSON.self)
        try demand(again == value, "\(text) is written \(String(decoding: written, as: UTF8.self))")
    }
}
