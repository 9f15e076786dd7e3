import Glibc
import TestSupport
import Testing
import Unix

@Suite struct ServiceManagerTests {
    @Test("a second lock of a folder fails with the process ID of the first, until the first ends")
    func stateLock() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("lock")
        do {
            let lock = try StateLock(at: path)
            #expect(throws: StateLock.Failure.held(by: getpid())) { _ = try StateLock(at: path) }
            _ = consume lock
        }
        _ = try StateLock(at: path)
    }

    @Test("a lock is renewed after its file was removed, unless another process holds the new file")
    func renewedLock() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("lock")
        let lock = try StateLock(at: path)
        try lock.renew()
        #expect(unlink(path) == 0)
        try lock.renew()
        #expect(throws: StateLock.Failure.held(by: getpid())) { _ = try StateLock(at: path) }
        #expect(unlink(path) == 0)
        let other = try StateLock(at: path)
        #expect(throws: StateLock.Failure.held(by: getpid())) { try lock.renew() }
        _ = consume other
        try lock.renew()
    }

    @Test(
        "the passed sockets are those that the variables name",
        arguments: [
            (["LISTEN_PID": "7", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "a:b"], ["a", "b"]),
            (["LISTEN_PID": "7", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "a"], ["a", "unknown"]),
            (["LISTEN_PID": "7", "LISTEN_FDS": "1"], ["unknown"]),
            (["LISTEN_PID": "8", "LISTEN_FDS": "1"], []),
            (["LISTEN_PID": "7", "LISTEN_FDS": "many"], []),
            (["LISTEN_PID": "7", "LISTEN_FDS": "-1"], []),
            (["LISTEN_FDS": "1"], []),
        ])
    func passedSockets(_ variables: [String: String], _ names: [String]) {
        let sockets = ServiceManager.passedSockets(variables, to: 7)
        #expect(sockets.map(\.name) == names)
        #expect(sockets.map(\.descriptor) == names.indices.map { Int32($0) + 3 })
    }

    @Test(
        "the watchdog interval applies only to the process that the variables name",
        arguments: [
            (["WATCHDOG_USEC": "3000000"], Duration.seconds(3)),
            (["WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "7"], .seconds(3)),
            (["WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "8"], nil),
            (["WATCHDOG_USEC": "soon"], nil),
            (["WATCHDOG_USEC": "0"], nil),
        ] as [([String: String], Duration?)])
    func watchdog(_ variables: [String: String], _ expected: Duration?) {
        #expect(ServiceManager.watchdogInterval(variables, of: 7) == expected)
    }

    @Test("each message to the manager is one datagram", arguments: [false, true])
    func notifications(isAbstract: Bool) throws {
        let folder = try TemporaryFolder()
        let name = isAbstract ? "@\(folder.path("notify"))" : folder.path("notify")
        let manager = try ManagerSocket(name)
        let notifier = Notifier(address: name)
        notifier.ready(status: "80 jokes\nREADY=0")
        notifier.status("81 jokes")
        notifier.alive()
        notifier.stopping()
        #expect(try manager.receive() == "READY=1\nSTATUS=80 jokes READY=0")
        #expect(try manager.receive() == "STATUS=81 jokes")
        #expect(try manager.receive() == "WATCHDOG=1")
        #expect(try manager.receive() == "STOPPING=1")
    }

    @Test("the message of a reload has the time of the monotonic clock")
    func reloading() throws {
        let folder = try TemporaryFolder()
        let manager = try ManagerSocket(folder.path("notify"))
        Notifier(address: folder.path("notify")).reloading()
        let message = try manager.receive()
        #expect(message.hasPrefix("RELOADING=1\nMONOTONIC_USEC="))
        #expect(Int64(message.split(separator: "=").last ?? "") ?? 0 > 0)
    }

    @Test("without a manager, messages are dropped without an error")
    func noManager() throws {
        let folder = try TemporaryFolder()
        Notifier(address: nil).ready(status: "x")
        Notifier(address: folder.path("nobody")).ready(status: "x")
    }
}
