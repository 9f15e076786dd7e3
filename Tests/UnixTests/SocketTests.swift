import Glibc
import TestSupport
import Testing
import Unix

@Suite struct SocketTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private var address: SocketAddress { SocketAddress(folder.path("socket")) }

    private func failure(_ body: () throws -> Void) -> SystemError? {
        #expect(throws: SystemError.self) { try body() }
    }

    @Test("a listening socket accepts a client, knows its credentials, and removes its file")
    func listen() throws {
        do {
            let listener = try ListeningSocket(at: address, mode: 0o640)
            var status = stat()
            #expect(lstat(address.description, &status) == 0)
            #expect(status.st_mode & 0o7777 == 0o640)
            let client = try StreamSocket.connect(to: address)
            guard let server = try StreamSocket.accept(from: listener.rawValue) else {
                Issue.record("nobody came")
                return
            }
            #expect(try StreamSocket.peer(of: server.rawValue) == (getpid(), getuid(), getgid()))
            #expect(fcntl(server.rawValue, F_GETFD) == FD_CLOEXEC)
            #expect(fcntl(server.rawValue, F_GETFL) & O_NONBLOCK == O_NONBLOCK)
            _ = consume client
        }
        #expect(access(address.description, F_OK) != 0)
    }

    @Test("accepting without a waiting client returns nil")
    func nobody() throws {
        let listener = try ListeningSocket(at: address, mode: 0o600)
        if try StreamSocket.accept(from: listener.rawValue) != nil { Issue.record("somebody came") }
    }

    @Test("a socket on which another process listens is not replaced")
    func living() throws {
        let listener = try ListeningSocket(at: address, mode: 0o600)
        let error = failure { _ = try ListeningSocket(at: address, mode: 0o600) }
        #expect(error?.code == EADDRINUSE)
        #expect(error?.description == "cannot listen on \(address): address already in use")
        let client = try StreamSocket.connect(to: address)
        _ = consume client
        _ = consume listener
    }

    @Test("a stale socket is replaced")
    func dead() throws {
        // A killed daemon leaves the file, and no process listens.
        let killed = try ListeningSocket(at: address, mode: 0o600)
        #expect(rename(address.description, folder.path("kept")) == 0)
        _ = consume killed
        #expect(rename(folder.path("kept"), address.description) == 0)
        let listener = try ListeningSocket(at: address, mode: 0o600)
        _ = try StreamSocket.connect(to: address)
        _ = consume listener
    }

    @Test("a file that is not a socket is not removed")
    func notASocket() throws {
        try folder.write("precious", to: "socket")
        #expect(failure { _ = try ListeningSocket(at: address, mode: 0o600) }?.code == EEXIST)
        #expect(try contentsOfFile(address.description, limit: 100) == Array("precious".utf8))
    }

    @Test("a lock on the folder, which another user can hold, does not prevent listening")
    func lockedFolder() throws {
        let other = Descriptor(owning: try retrying("open") { open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) })
        try retrying("lock") { flock(other.rawValue, LOCK_EX) }
        let listener = try ListeningSocket(at: address, mode: 0o600)
        _ = try StreamSocket.connect(to: address)
        _ = consume listener
        _ = consume other
    }

    @Test("the lock file refuses a second process at once, is not opened through a link, and does not stay")
    func lock() throws {
        let path = folder.path("socket.lock")
        #expect(symlink(folder.path("elsewhere"), path) == 0)
        #expect(failure { _ = try ListeningSocket(at: address, mode: 0o600) }?.code == ELOOP)
        #expect(access(folder.path("elsewhere"), F_OK) != 0)
        #expect(unlink(path) == 0)
        let listener = try ListeningSocket(at: address, mode: 0o666)
        #expect(access(path, F_OK) != 0)
        _ = consume listener
        let other = Descriptor(owning: try retrying("open") { open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) })
        try retrying("lock") { flock(other.rawValue, LOCK_EX) }
        #expect(failure { _ = try ListeningSocket(at: address, mode: 0o600) }?.code == EADDRINUSE)
        _ = consume other
        // A killed process leaves the file without a lock.
        _ = try ListeningSocket(at: address, mode: 0o600)
        #expect(access(path, F_OK) != 0)
    }

    @Test("of processes that start at the same time, one listens, and no lock file stays")
    func race() async throws {
        for round in 0..<50 {
            let address = SocketAddress(folder.path("socket\(round)"))
            let listeners = await withTaskGroup(of: Kept?.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        guard let listener = try? ListeningSocket(at: address, mode: 0o600) else { return nil }
                        return Kept(listener)
                    }
                }
                return await group.reduce(into: [Kept]()) { kept, next in if let next { kept.append(next) } }
            }
            #expect(listeners.count == 1)
            #expect(access(address.description + ".lock", F_OK) != 0)
            withExtendedLifetime(listeners) {}
        }
    }

    /// A listening socket that a task can return. `@unchecked Sendable`: nothing uses the socket until it is freed.
    private final class Kept: @unchecked Sendable {
        let listener: ListeningSocket

        init(_ listener: consuming ListeningSocket) { self.listener = listener }
    }

    @Test("a socket file that another process has replaced is not removed")
    func takenOver() throws {
        let listener = try ListeningSocket(at: address, mode: 0o600)
        #expect(unlink(address.description) == 0)
        let second = try ListeningSocket(at: address, mode: 0o600)
        _ = consume listener
        _ = try StreamSocket.connect(to: address)
        _ = consume second
    }

    @Test("an abstract socket has no file")
    func abstract() throws {
        let name = SocketAddress("@jokesd-test-\(getpid())-\(UInt32.random(in: .min ... .max))")
        let listener = try ListeningSocket(at: name, mode: 0o600)
        _ = try StreamSocket.connect(to: name)
        #expect(failure { _ = try ListeningSocket(at: name, mode: 0o600) }?.code == EADDRINUSE)
        _ = consume listener
    }

    @Test("an invalid address is refused before the system call")
    func addresses() throws {
        let long = folder.path(String(repeating: "x", count: 108))
        #expect(failure { _ = try ListeningSocket(at: SocketAddress(long), mode: 0o600) }?.code == ENAMETOOLONG)
        for bad in ["", "@", "a\0b"] {
            #expect(failure { _ = try StreamSocket.connect(to: SocketAddress(bad)) }?.code == EINVAL)
        }
        #expect(failure { _ = try StreamSocket.connect(to: address) }?.code == ENOENT)
    }

    @Test("connecting waits for a full queue until the timeout")
    func fullQueue() throws {
        let listener = try ListeningSocket(at: address, mode: 0o600)
        // Another call changes the length of the queue.
        #expect(Glibc.listen(listener.rawValue, 0) == 0)
        let first = try StreamSocket.connect(to: address)
        #expect(failure { _ = try StreamSocket.connect(to: address) }?.code == EAGAIN)
        let error = failure { _ = try StreamSocket.connect(to: address, waitingAtMost: .milliseconds(20)) }
        #expect(error?.code == EAGAIN)
        // If the queue is full, another process listens.
        #expect(failure { _ = try ListeningSocket(at: address, mode: 0o600) }?.code == EADDRINUSE)
        _ = consume first
        _ = consume listener
    }

    @Test("only a listening descriptor is inherited as a listening socket")
    func inherit() throws {
        let listener = try ListeningSocket(at: address, mode: 0o600)
        let inherited = try ListeningSocket(inheriting: Descriptor(owning: dup(listener.rawValue)))
        _ = try StreamSocket.connect(to: address)
        if try StreamSocket.accept(from: inherited.rawValue) == nil { Issue.record("nobody came") }
        let file = try folder.write("", to: "file")
        #expect(
            failure { _ = try ListeningSocket(inheriting: Descriptor(owning: open(file, O_RDONLY))) }?.code == ENOTSOCK)
        let plain = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #expect(failure { _ = try ListeningSocket(inheriting: Descriptor(owning: plain)) }?.code == EINVAL)
        // The credentials of the other end could not be known.
        let network = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #expect(failure { _ = try ListeningSocket(inheriting: Descriptor(owning: network)) }?.code == EAFNOSUPPORT)
    }

    @Test("the end of the other side is a value, and SIGPIPE is not raised")
    func ends() throws {
        let listener = try ListeningSocket(at: address, mode: 0o600)
        let client = try StreamSocket.connect(to: address)
        let server = try StreamSocket.accept(from: listener.rawValue)
        var byte: UInt8 = 7
        let received = try withUnsafeMutableBytes(of: &byte) {
            try StreamSocket.receive(from: client.rawValue, into: $0)
        }
        #expect(received == .wouldBlock)
        _ = consume server
        let end = try withUnsafeMutableBytes(of: &byte) { try StreamSocket.receive(from: client.rawValue, into: $0) }
        #expect(end == .ended)
        let sent = try withUnsafeBytes(of: &byte) { try StreamSocket.send($0, to: client.rawValue) }
        #expect(sent == .ended)
    }
}
