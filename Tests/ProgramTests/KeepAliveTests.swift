import JokesClient
import JokesCore
import JokesProtocol
import TestSupport
import Testing
import Varlink

/// Watchers that request keep-alive messages.
@Suite struct KeepAliveTests {
    @Test("a watcher with a keep-alive interval gets an empty difference whenever nothing else was sent for that time")
    func quiet() throws {
        let daemon = try DaemonUnderTest()
        let watcher = try Watcher(daemon, asking: WatchMethod.Parameters(keepAliveMs: 1000))
        try watcher.begin()
        let known = try #require(watcher.last?.generation)
        for _ in 0..<2 {
            let message = try watcher.next()
            #expect(message.difference == Wire.Difference(base: known) && message.generation == known)
            #expect(message.snapshot == nil)
        }
        let id = try watcher.jokes[0]
        try daemon.connect().toggle(id, isFavorite: false)
        try watcher.next { try $0.favorites == [id] }
        let newest = try #require(watcher.last?.generation)
        #expect(try watcher.next().difference == Wire.Difference(base: newest))
    }

    @Test(
        "an interval below a second or above a day is refused", arguments: [Int64.min, -1, 0, 999, 86_400_001, .max])
    func refused(milliseconds: Int64) throws {
        let daemon = try DaemonUnderTest()
        let client = try VarlinkClient(connectingTo: daemon.socket)
        do throws(VarlinkError) {
            let parameters = WatchMethod.Parameters(keepAliveMs: milliseconds)
            _ = try client.stream(WatchMethod.fullName, parameters, returning: WatchMethod.Reply.self).next()
            Issue.record("\(milliseconds) was accepted")
        } catch .refused(let error) {
            #expect(error == .invalidParameter("keepAliveMs"))
        }
    }
}
