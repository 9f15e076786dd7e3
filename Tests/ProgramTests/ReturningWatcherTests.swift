import JokesClient
import JokesCore
import JokesProtocol
import TestSupport
import Testing
import Varlink

/// Watchers that reconnect with a snapshot.
@Suite struct ReturningWatcherTests {
    /// Returns a watcher that has received the snapshot and left.
    private func gone(_ daemon: DaemonUnderTest) throws -> Watcher {
        let watcher = try Watcher(daemon)
        try watcher.begin()
        watcher.leave()
        return watcher
    }

    private func newest(_ daemon: DaemonUnderTest) throws -> JokeSnapshot {
        let watcher = try Watcher(daemon)
        try watcher.begin()
        return try watcher.snapshot
    }

    @Test("a watcher that returns with epoch and generation gets the missed changes as one difference")
    func difference() throws {
        let daemon = try DaemonUnderTest()
        let watcher = try gone(daemon)
        let (known, ids) = (try #require(watcher.last), try watcher.jokes.prefix(3))
        let caller = try daemon.connect()
        for id in ids { try caller.toggle(id, isFavorite: false) }
        try watcher.comeBack(daemon)
        let message = try watcher.next()
        #expect(message.snapshot == nil && message.difference?.base == known.generation)
        let inserted = message.difference?.insertedItems?.flatMap(\.items).map(\.id)
        #expect(inserted == ids.reversed().map(Item.ID.favorite))
        #expect(message.difference?.updatedItems?.count == 3)
        #expect(try watcher.snapshot == newest(daemon))
    }

    @Test("a watcher with an unknown epoch or generation gets a complete snapshot")
    func unknown() throws {
        let daemon = try DaemonUnderTest()
        let known = try #require(try gone(daemon).last)
        let unknownStates = [
            WatchMethod.Parameters(epoch: "another", generation: known.generation),
            WatchMethod.Parameters(epoch: known.epoch, generation: known.generation + 1000),
            WatchMethod.Parameters(epoch: known.epoch, generation: -1),
            WatchMethod.Parameters(epoch: known.epoch), WatchMethod.Parameters(generation: known.generation),
        ]
        for parameters in unknownStates {
            let watcher = try Watcher(daemon, asking: parameters)
            let message = try watcher.next()
            #expect(message.snapshot != nil && message.difference == nil && message.epoch == known.epoch)
        }
    }
}
