import JokesClient
import JokesCore
import JokesProtocol
import TestSupport
import Testing
import Varlink

/// Those who watched before and come back with what they have.
@Suite struct ReturningWatcherTests {
    /// A watcher that has seen the picture and left.
    private func gone(_ daemon: DaemonUnderTest) throws -> Watcher {
        let watcher = try Watcher(daemon)
        try watcher.begin()
        watcher.leave()
        return watcher
    }

    private func newest(_ daemon: DaemonUnderTest) throws -> JokeSnapshot {
        let watcher = try Watcher(daemon)
        try watcher.begin()
        return try watcher.picture
    }

    @Test("who comes back with epoch and generation gets what was missed as one difference")
    func difference() throws {
        let daemon = try DaemonUnderTest()
        let watcher = try gone(daemon)
        let (known, ids) = (try #require(watcher.last), try watcher.jokes.prefix(3))
        let caller = try daemon.connect()
        for id in ids { try caller.toggle(id, isStarred: false) }
        try watcher.comeBack(daemon)
        let message = try watcher.next()
        #expect(message.snapshot == nil && message.difference?.base == known.generation)
        let inserted = message.difference?.insertedItems?.flatMap(\.items).map(\.item.id)
        #expect(inserted == ids.reversed().map(Item.ID.favorite))
        #expect(message.difference?.updatedItems?.count == 3)
        #expect(try watcher.picture == newest(daemon))
    }

    @Test("who has missed nothing is told so, by a difference of nothing")
    func nothing() throws {
        let daemon = try DaemonUnderTest()
        let watcher = try gone(daemon)
        let known = try #require(watcher.last)
        try watcher.comeBack(daemon)
        let message = try watcher.next()
        #expect(message.difference == Wire.Difference(base: known.generation))
        #expect(message.generation == known.generation)
    }

    @Test("what the daemon does not know is answered with the whole picture")
    func unknown() throws {
        let daemon = try DaemonUnderTest()
        let known = try #require(try gone(daemon).last)
        let strangers = [
            WatchMethod.Parameters(epoch: "another", generation: known.generation),
            WatchMethod.Parameters(epoch: known.epoch, generation: known.generation + 1000),
            WatchMethod.Parameters(epoch: known.epoch, generation: -1),
            WatchMethod.Parameters(epoch: known.epoch), WatchMethod.Parameters(generation: known.generation),
        ]
        for parameters in strangers {
            let watcher = try Watcher(daemon, asking: parameters)
            let message = try watcher.next()
            #expect(message.snapshot != nil && message.difference == nil && message.epoch == known.epoch)
        }
    }

    @Test("who was away for too many changes gets the whole picture")
    func forgotten() throws {
        let daemon = try DaemonUnderTest()
        let watcher = try gone(daemon)
        let id = try watcher.jokes[0]
        // As somebody watches on, every change is a generation of its own.
        let (witness, caller) = (try Watcher(daemon), try daemon.connect())
        try witness.begin()
        for _ in 0..<101 { try witness.see(id, toggledBy: caller) }
        try watcher.comeBack(daemon)
        #expect(try watcher.next().snapshot != nil)
        #expect(try watcher.picture == witness.picture)
    }

    @Test("a restart begins a new epoch: who comes back gets the whole picture, favorites and all")
    func restart() throws {
        let daemon = try DaemonUnderTest()
        let watcher = try Watcher(daemon)
        try watcher.begin()
        let (known, id) = (try #require(watcher.last), try watcher.jokes[0])
        try daemon.connect().toggle(id, isStarred: false)
        try watcher.next { try $0.favorites == [id] }
        try daemon.kill()
        #expect(throws: VarlinkError.self) { try watcher.next() }
        try daemon.start()
        try watcher.comeBack(daemon)
        let message = try watcher.next()
        #expect(message.snapshot != nil && message.difference == nil && message.epoch != known.epoch)
        #expect(try watcher.favorites == [id])
        #expect(try daemon.connect().call(StatusMethod.self, JokesProtocol.NoParameters()).epoch == message.epoch)
    }
}
