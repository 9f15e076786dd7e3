import Glibc
import TestSupport
import Testing
import Unix

struct FileContentsTests {
    @Test("a file of any size is read completely", arguments: [0, 1, 16_384, 50_001])
    func readsWhole(count: Int) throws {
        let folder = try TemporaryFolder()
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let path = try folder.write(bytes, to: "file")
        #expect(try contentsOfFile(path, limit: count) == bytes)
    }

    @Test("a file that exceeds the limit by one byte is refused")
    func refusesTooLarge() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write([UInt8](repeating: 65, count: 1001), to: "file")
        #expect(throws: SystemError("read", path, code: EFBIG)) { try contentsOfFile(path, limit: 1000) }
    }

    @Test("reading a missing file or a folder throws the code of the kernel")
    func tellsWhatFails() throws {
        let folder = try TemporaryFolder()
        #expect(throws: SystemError("open", folder.path("none"), code: ENOENT)) {
            try contentsOfFile(folder.path("none"), limit: 10)
        }
        #expect(throws: SystemError("read", folder.path, code: EISDIR)) { try contentsOfFile(folder.path, limit: 10) }
    }
}
