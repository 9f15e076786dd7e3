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
}
