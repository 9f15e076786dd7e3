import Glibc
import TestSupport
import Testing
import Unix

@Suite struct FileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func mode(_ path: String) -> mode_t {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
    }

    @Test("a folder is created with its parents and the requested mode")
    func folders() throws {
        let path = folder.path("a/b/c")
        try makeFolder(path, mode: 0o710)
        #expect(mode(path) == 0o710)
        try makeFolder(path, mode: 0o777)
        #expect(mode(path) == 0o710)
    }

    @Test("threads that create the same folders at once all succeed")
    func foldersAtOnce() async throws {
        for number in 0..<scaled(5_000) {
            let path = folder.path("\(number)/b/c")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<2 { group.addTask { try makeFolder(path, mode: 0o700) } }
                try await group.waitForAll()
            }
        }
    }

    @Test("a folder cannot be created in the place of a file")
    func fileInTheWay() throws {
        let file = try folder.write("", to: "file")
        #expect(throws: SystemError("create folder", file, code: ENOTDIR)) { try makeFolder(file, mode: 0o700) }
        #expect(throws: SystemError("create folder", "\(file)/below", code: ENOTDIR)) {
            try makeFolder("\(file)/below", mode: 0o700)
        }
    }

    @Test(
        "the parent folder of a path is the text before its last component",
        arguments: [("/a/b", "/a"), ("/a", "/"), ("/", "/"), ("a", "."), ("a/b", "a")])
    func parents(_ path: String, _ parent: String) {
        #expect(parentFolder(of: path) == parent)
    }

    @Test("a file is replaced completely, with its mode, and no other file remains")
    func replace() throws {
        let path = try folder.write("old", to: "file")
        try replaceFile(path, with: Array("new".utf8), mode: 0o640)
        #expect(try contentsOfFile(path, limit: 10) == Array("new".utf8))
        #expect(mode(path) == 0o640)
        #expect(try namesInFolder(folder.path) == ["file"])
    }

    @Test("a failed replacement leaves the file unchanged, and no other file remains")
    func replaceFails() throws {
        // With a folder in the place of the file, the rename fails after the other steps.
        let path = folder.path("file")
        try makeFolder(path, mode: 0o700)
        #expect(throws: SystemError.self) { try replaceFile(path, with: [1], mode: 0o600) }
        #expect(try namesInFolder(folder.path) == ["file"])
        #expect(throws: SystemError.self) { try replaceFile(folder.path("no/file"), with: [1], mode: 0o600) }
    }

    @Test("all bytes are written to a slow stream, and a write without a reader throws EPIPE")
    func streams() throws {
        let ends = try makePipe()
        let writing = Descriptor(owning: ends.writing)
        #expect(fcntl(writing.rawValue, F_SETFL, O_NONBLOCK) == 0)
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
        let received = try Mailbox<[UInt8]>()
        let loop = try EventLoop()
        try loop.start(name: "reader")
        loop.perform { [reading = ends.reading] in
            var all: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 1000)
            while all.count < bytes.count {
                let count = read(reading, &buffer, buffer.count)
                all += buffer[..<count]
            }
            close(reading)
            received.put(all)
        }
        defer { loop.stop() }
        try writeFully(bytes, to: writing.rawValue, "pipe")
        #expect(try received.take() == bytes)
        // The signal goes only to this thread.
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &set, nil)
        #expect(throws: SystemError("write to", "pipe", code: brokenPipe)) {
            try writeFully([1], to: writing.rawValue, "pipe")
        }
        var none = timespec()
        #expect(sigtimedwait(&set, nil, &none) == SIGPIPE)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }
}
