/// The text of a name in HTML's table of character references.
struct NamedCharacters {
    let text: String
    let mayLackSemicolon: Bool

    /// Searches a name, without `&` and `;`, in the right case; nil if it is unknown. O(log n) in the size of the table, which
    /// is searched as it is, so that it takes neither time at start nor memory.
    init?(_ name: ArraySlice<UInt8>) {
        let table = PackageResources.character_references_txt
        var (low, high) = (0, table.count)
        while low < high {
            let middle = (low + high) / 2
            let start = table[low..<middle].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? low
            let line = table[start...].prefix { $0 != UInt8(ascii: "\n") }
            let key = line.prefix { $0 != UInt8(ascii: " ") }
            if key.elementsEqual(name) {
                self.init(line: String(decoding: line, as: UTF8.self))
                return
            }
            if key.lexicographicallyPrecedes(name) { low = line.endIndex + 1 } else { high = start }
        }
        return nil
    }

    private init(line: String) {
        let fields = line.split(separator: " ").dropFirst()
        let scalars = fields.compactMap { UInt32($0, radix: 16).flatMap(Unicode.Scalar.init) }
        text = String(String.UnicodeScalarView(scalars))
        mayLackSemicolon = fields.last == "?"
    }
}
