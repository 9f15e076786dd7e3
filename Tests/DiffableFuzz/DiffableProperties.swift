/// An error for a broken property.
struct BrokenProperty: Error, CustomStringConvertible {
    let description: String
}

func verify(_ condition: Bool, _ claim: @autoclosure () -> String) throws {
    if !condition { throw BrokenProperty(description: claim()) }
}

/// Makes snapshots, differences or outlines from the bytes, and checks the properties of the engine.
///
/// - Throws: `BrokenProperty`. No bytes may cause this, and none may stop the program.
package func holdDiffableProperties(for bytes: [UInt8]) throws {
    let source = ByteSource(bytes)
    switch source.int(below: 3) {
    case 0: try holdProperties(Int.self, source)
    case 1: try holdProperties(String.self, source)
    default: try holdProperties(CrowdedIdentifier.self, source)
    }
}

private func holdProperties<ID: FuzzIdentifier>(_ kind: ID.Type, _ source: ByteSource) throws {
    switch source.int(below: 3) {
    case 0: try OutlineProperties<ID>(from: source).check()
    default: try DifferenceProperties<ID>(from: source).check()
    }
}
