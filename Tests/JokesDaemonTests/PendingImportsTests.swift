import Testing
import Unix
import Varlink

@testable import JokesDaemon

@Suite struct PendingImportsTests {
    @Test("the messages of an import may have 512 MiB together, and not a byte more")
    func limit() throws {
        let imports = PendingImports(on: try EventLoop())
        let id = try imports.take(nil, records: 1, bytes: 1 << 20).id
        imports.end(id, isLast: false) {}
        #expect(try imports.take(id, records: 1, bytes: 511 << 20).records == 2)
        imports.end(id, isLast: false) {}
        #expect(throws: ErrorReply.self) { try imports.take(id, records: 1, bytes: 1) }
    }
}
