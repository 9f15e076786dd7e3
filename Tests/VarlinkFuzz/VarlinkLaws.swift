/// Has a service, a client or a reader of texts meet what the bytes say, and holds it to its laws.
///
/// Everything happens on the calling thread.
/// - Throws: What says which law was broken. No bytes may do that, and none may stop the program.
package func holdVarlinkLaws(for bytes: [UInt8]) throws {
    var script = Script(bytes)
    switch script.number(below: 8) {
    case 0: try holdTextLaws(for: script.rest())
    case 1, 2: try ClientTrial(script).run()
    default: try ServiceTrial(script).run()
    }
}

/// A law that some bytes broke.
struct Violation: Error, CustomStringConvertible {
    let description: String
}

func demand(_ condition: Bool, _ complaint: @autoclosure () -> String) throws {
    if !condition { throw Violation(description: complaint()) }
}

/// Bytes read as decisions, one after another; where they end, every further one is 0.
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

    /// The next bytes as they are, as many as there are.
    mutating func piece(_ count: Int) -> [UInt8] {
        defer { bytes = bytes.dropFirst(count) }
        return Array(bytes.prefix(count))
    }

    mutating func rest() -> [UInt8] {
        piece(bytes.count)
    }
}
