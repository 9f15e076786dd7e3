/// The text as one word of a shell command, in quotes if a shell could take the text for more.
package func shellWord(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "/._-+,:@%=".utf8.contains(byte)
        }
    }
    if isPlain && !text.isEmpty { return text }
    // By bytes: a quote with a combining mark is one character, and ends the word.
    let parts = text.utf8.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false)
    return "'" + parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: #"'\''"#) + "'"
}
