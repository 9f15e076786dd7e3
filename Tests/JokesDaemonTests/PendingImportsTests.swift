import JokesProtocol
import Testing
import Unix

@testable import JokesDaemon

@Suite struct PendingImportsTests {
    @Test("the messages of an import have at most 512 MiB together")
    func limit() throws {
        let imports = PendingImports(on: try EventLoop())
        let id = try imports.add(nil, bytes: 1 << 20).id
        imports.endPiece(id, isLast: false) {}
        _ = try imports.add(id, bytes: 511 << 20)
        imports.endPiece(id, isLast: false) {}
        #expect(throws: JokesError.self) { try imports.add(id, bytes: 1) }
    }
}
