/// A law that some bytes broke.
struct BrokenLaw: Error, CustomStringConvertible {
    let description: String
}

func hold(_ condition: Bool, _ claim: @autoclosure () -> String) throws {
    if !condition { throw BrokenLaw(description: claim()) }
}

/// Makes snapshots, differences, outlines or a data source as the bytes say, and holds the engine to its laws.
///
/// - Throws: What says which law was broken. No bytes may do that, and none may stop the program.
package func holdDiffableLaws(for bytes: [UInt8]) throws {
    let source = ByteSource(bytes)
    switch source.int(below: 3) {
    case 0: try holdLaws(Int.self, source)
    case 1: try holdLaws(String.self, source)
    default: try holdLaws(CrowdedIdentifier.self, source)
    }
}

private func holdLaws<ID: FuzzIdentifier>(_ kind: ID.Type, _ source: ByteSource) throws {
    switch source.int(below: 4) {
    case 0: try DataSourceLaws<ID>(source: source).check()
    case 1: try OutlineLaws<ID>(from: source).check()
    default: try DifferenceLaws<ID>(from: source).check()
    }
}
