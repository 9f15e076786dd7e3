/// Lets the bytes choose a trial of a service, a client or the parsers, and checks its properties.
///
/// Everything happens on the calling thread.
/// - Throws: The description of a broken property. No bytes may break one, or stop the program.
package func checkVarlinkProperties(for bytes: [UInt8]) throws {
    var script = Script(bytes)
    switch script.number(below: 8) {
    case 0: try checkParsers(for: script.rest())
    case 1, 2: try ClientTrial(script).run()
    default: try ServiceTrial(script).run()
    }
}

/// A property that does not hold for some bytes.
struct Violation: Error, CustomStringConvertible {
    let description: String
}

func demand(_ condition: Bool, _ complaint: @autoclosure () -> String) throws {
    if !condition { throw Violation(description: complaint()) }
}

/// Bytes that are read as decisions, one after another. After the end, all decisions are 0.
struct Script {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        self.bytes = bytes[...]
    }

    var isAtEnd: Bool { bytes.isEmpty }

    mutating func byte() -> UInt8 {
        bytes.popFirst() ?? 0
    }

    mutating func number(below limit: Int) -> Int {
        Int(byte()) % limit
    }

    /// Removes and returns the next bytes, or fewer at the end.
    mutating func piece(_ count: Int) -> [UInt8] {
        defer { bytes = bytes.dropFirst(count) }
        return Array(bytes.prefix(count))
    }

    mutating func rest() -> [UInt8] {
        piece(bytes.count)
    }
}
