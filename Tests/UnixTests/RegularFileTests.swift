import Glibc
import TestSupport
import Testing
import Unix

@Suite struct RegularFileTests {
    @Test("bytes are read from any offset, and fewer at the end of the file")
    func bytes() throws {
        let folder = try TemporaryFolder()
        let file = try RegularFile(opening: folder.write("0123456789", to: "digits"))
        #expect(file.version.size == 10)
        #expect(try file.bytes(at: 3, count: 4) == Array("3456".utf8))
        #expect(try file.bytes(at: 8, count: 100) == Array("89".utf8))
        #expect(try file.bytes(at: 10, count: 1).isEmpty)
    }

    @Test("a changed file has another version")
    func version() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("a", to: "file")
        let first = try RegularFile(opening: path).version
        #expect(try RegularFile(opening: path).version == first)
        try folder.write("ab", to: "file")
        #expect(try RegularFile(opening: path).version != first)
    }

    @Test("other kinds of files are refused, and a pipe without a writer does not block")
    func irregular() throws {
        let folder = try TemporaryFolder()
        mkfifo(folder.path("pipe"), 0o600)
        let code = { (path: String) -> Int32? in
            do {
                _ = try RegularFile(opening: path)
                return nil
            } catch let error as SystemError {
                return error.code
            }
        }
        #expect(try code(folder.path("pipe")) == SystemError.notRegularFile)
        #expect(try code(folder.path) == EISDIR)
        #expect(try code("/dev/zero") == SystemError.notRegularFile)
        #expect(try code(folder.path("absent")) == ENOENT)
    }

    @Test("the names in a folder are sorted, and a file has none")
    func names() throws {
        let folder = try TemporaryFolder()
        for name in ["b", "a", ".c", "ä", "B"] { try folder.write("", to: name) }
        #expect(try namesInFolder(folder.path) == [".c", "B", "a", "b", "ä"])
        #expect(throws: SystemError("list", folder.path("a"), code: ENOTDIR)) { try namesInFolder(folder.path("a")) }
    }

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
