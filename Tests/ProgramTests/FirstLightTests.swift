import FoundationEssentials
import Glibc
import TestSupport
import Testing
import Unix

/// A source, the daemon and jokesctl together, online and then offline.
@Suite struct FirstLightTests {
    private let twelve = (1...12).map { number in
        OfficialJokeServer.Entry(
            type: number % 2 == 0 ? "general" : "programming", setup: "What is test joke number \(number)?",
            punchline: "The one after \(number - 1).")
    }

    private func lines(of watcher: ChildProcess) throws -> [PrintedChange] {
        try watcher.output.lines.map { try JSONDecoder().decode(PrintedChange.self, from: Data($0.utf8)) }
    }

    @Test("a first start without a source serves the bundled jokes")
    func starterJokes() throws {
        let daemon = try DaemonUnderTest()
        let status: PrintedStatus = try daemon.json("status")
        #expect(status.jokes.shown >= 80)
        let random = try daemon.control("random")
        #expect(random.ending == .exited(0) && !random.output.isEmpty && random.errors.isEmpty)
    }

    @Test("jokes come from a server and a file, and duplicates are shown once")
    func firstSync() async throws {
        let again = OfficialJokeServer.Entry(setup: "what is  test joke number 3", punchline: "The one after 2!")
        let server = try OfficialJokeServer(twelve + [again])
        let folder = try TemporaryFolder()
        let file = try folder.write("A first fortune.\n%\nWhat is test joke number 5? The one after 4.\n%\n", to: "f")
        let daemon = try DaemonUnderTest(configuration: configuration(officialSource(server.url), fortuneSource(file)))
        try await daemon.waitForSyncs()
        let official: [PrintedJoke] = try daemon.json("list", "--source", "official")
        #expect(Set(official.map(\.setup)).count == 12)
        #expect(official.allSatisfy { $0.id.hasPrefix("official:~") })
        let fortunes: [PrintedJoke] = try daemon.json("list", "--source", "fortunes")
        #expect(fortunes.map(\.setup) == ["A first fortune."])
        let status: PrintedStatus = try daemon.json("status")
        #expect(status.jokes.cached == status.jokes.shown + 1)
        let programming: [PrintedJoke] = try daemon.json("list", "--category", "programming", "--source", "official")
        #expect(programming.count == 6)
    }

    @Test("unrated jokes are stored, but served only if the filter allows them")
    func unmarkedJokes() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("Nobody has looked at this one.\n%\n", to: "f")
        let sources = fortuneSource(file, safety: "unknown")
        let daemon = try DaemonUnderTest(configuration: configuration(sources))
        try await daemon.waitForSyncs()
        let health = try #require(try daemon.configuredSources().first)
        #expect(health.jokes.cached == 1 && health.jokes.shown == 0)
        #expect(
            try daemon.control("sources").output.contains(
                "1 unrated, not shown; jokesctl source set fortunes --safety safe"))
        #expect(try daemon.json("list", "--source", "fortunes", as: [PrintedJoke].self).isEmpty)
        #expect(try daemon.control("random", "--source", "fortunes").ending == .exited(75))
        try daemon.reload(#"{"sources": [\#(sources)], "filter": {"safe": false}}"#)
        #expect(try daemon.json("list", "--source", "fortunes", as: [PrintedJoke].self).count == 1)
    }

    @Test("a new favorite reaches a watcher as a difference: the new section, its item, and the joke's star")
    func starAsDifference() async throws {
        let server = try OfficialJokeServer(twelve)
        let daemon = try DaemonUnderTest(configuration: configuration(officialSource(server.url)))
        try await daemon.waitForSyncs()
        let jokes: [PrintedJoke] = try daemon.json("list", "--source", "official")
        let id = try #require(jokes.first?.id)
        let watcher = try await daemon.watch()
        #expect(try daemon.control("favorite", id).ending == .exited(0))
        try watcher.output.waitForLine(with: "\"favorite\":true")
        let changes = try lines(of: watcher)
        #expect(changes[0].snapshot?.map(\.section.id) == ["jokes"])
        #expect(changes.dropFirst().allSatisfy { $0.snapshot == nil && $0.difference != nil })
        #expect(changes.map(\.generation) == changes.map(\.generation).sorted())
        let differences = changes.compactMap(\.difference)
        #expect(differences.compactMap(\.insertedSections).joined().map(\.section.favoriteJokes?.count) == [1])
        #expect(differences.compactMap(\.insertedItems).joined().flatMap(\.items).map(\.id) == ["favorite/\(id)"])
        let favorites = differences.compactMap(\.updatedItems).joined().compactMap(\.joke)
        #expect(favorites.map(\.id) == [id] && favorites.allSatisfy { $0.favorite == true })
    }

    @Test("after SIGKILL and without the source's server, all jokes are kept, and the status has the failure")
    func killedAndOffline() async throws {
        let server = try OfficialJokeServer(twelve)
        let daemon = try DaemonUnderTest(configuration: configuration(officialSource(server.url, interval: "1m")))
        try await daemon.waitForSyncs()
        let before: [PrintedJoke] = try daemon.json("list")
        let id = try #require(before.first?.id)
        #expect(try daemon.control("favorite", id).ending == .exited(0))
        try daemon.kill()
        server.server.stop()
        try daemon.start()
        let after: [PrintedJoke] = try daemon.json("list")
        #expect(after.map(\.id) == before.map(\.id))
        #expect(after.first?.favorite == true)
        let favorites: [PrintedJoke] = try daemon.json("favorites")
        #expect(favorites.map(\.id) == [id])
        try await waitUntil("the source, which has a rate limit, is synced again and fails") {
            #expect(try daemon.control("refresh").ending == .exited(75))
            let sources = try daemon.configuredSources()
            return sources.first?.failingSince != nil
        }
        let official = try #require(try await daemon.quietSources().first)
        #expect(official.jokes.cached == 12)
        #expect(try #require(official.failure).contains("connection refused"))
        let (next, since) = (try #require(official.nextAttempt), try #require(official.failingSince))
        #expect(next.microseconds >= since.microseconds)
        // If the source is syncing again, the status says that instead.
        try await waitUntil("the status has the failure and the next try") {
            let text = try daemon.control("status").output
            return text.contains("failing") && text.contains("next try")
        }
    }

    @Test("ten placeholders are above the jokes while a slow source answers, and disappear when it fails")
    func placeholders() async throws {
        let gate = try Gate()
        let server = try LoopbackServer()
        server.routeEverythingElse { _ in
            LoopbackAnswer(steps: [.wait(gate), .send(Array("HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n".utf8))])
        }
        let daemon = try DaemonUnderTest(configuration: configuration(officialSource(server.url)))
        let watcher = try await daemon.watch()
        let first = try #require(try lines(of: watcher).first?.snapshot?.first)
        #expect(first.items.prefix(10).map(\.id) == (0..<10).map { "loading/\($0)" })
        #expect(first.items.count == 60 && first.section.jokes?.syncing == true)
        // Other calls are answered in the meantime.
        #expect(try daemon.control("random").ending == .exited(0))
        gate.open()
        try watcher.output.waitForLine(with: "\"failing\":[\"official\"]")
        // Later changes belong to another attempt.
        let changes = try lines(of: watcher)
        let headers = changes.map { $0.difference?.updatedSections?.compactMap(\.jokes).last }
        let failure = try #require(headers.firstIndex { $0?.failing == ["official"] })
        let differences = changes[...failure].compactMap(\.difference)
        #expect(differences.flatMap { $0.deletedItems ?? [] } == (0..<10).map { "loading/\($0)" })
        let header = try #require(differences.compactMap(\.updatedSections).joined().compactMap(\.jokes).last)
        #expect(header.failing == ["official"] && !header.syncing)
    }

    @Test("random serves every joke before it repeats one, also across a restart")
    func randomWithoutRepeats() async throws {
        let server = try OfficialJokeServer(twelve)
        let daemon = try DaemonUnderTest(configuration: configuration(officialSource(server.url)))
        try await daemon.waitForSyncs()
        var ids: [String] = []
        for _ in 0..<6 { ids.append(try daemon.json("random", "--source", "official", as: PrintedJoke.self).id) }
        #expect(try daemon.stop() == .exited(0))
        try daemon.start()
        for _ in 0..<6 { ids.append(try daemon.json("random", "--source", "official", as: PrintedJoke.self).id) }
        #expect(Set(ids).count == 12)
    }
}
