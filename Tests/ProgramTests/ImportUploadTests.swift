import FoundationEssentials
import Glibc
import JokesClient
import JokesCore
import JokesProtocol
import TestSupport
import Testing
import Unix

/// Imports in pieces on the socket, by clients other than jokesctl, and interrupted imports.
@Suite struct ImportUploadTests {
    private func refusal(_ call: () throws -> Void) throws -> JokesError? {
        do {
            try call()
            return nil
        } catch ClientError.refused(let refusal) {
            return refusal
        }
    }

    @Test("an import without its last piece stores nothing, and a restarted daemon does not know it")
    func cutOff() throws {
        let daemon = try DaemonUnderTest()
        let id: String
        do {
            let client = try daemon.connect()
            let first = try client.call(
                ImportMethod.self, .init([.numbered(1), .numbered(2)].map(ExchangeRecord.favorite)))
            id = try #require(first.id)
            #expect(first.report == nil)
            _ = try client.call(ImportMethod.self, .init(id: id, [.numbered(3)].map(ExchangeRecord.favorite)))
        }
        #expect(try daemon.json("favorites", as: [PrintedJoke].self).isEmpty)
        try daemon.kill()
        try daemon.start()
        #expect(try daemon.json("favorites", as: [PrintedJoke].self).isEmpty)
        let client = try daemon.connect()
        #expect(
            try refusal { _ = try client.call(ImportMethod.self, .init(id: id, [], isLast: true)) }
                == .noSuchImport(id: id))
    }

    @Test("a killed import stores all records or none", .enabled(if: isSlowTier, "slow tier"))
    func killed() throws {
        let daemon = try DaemonUnderTest(configuration: #"{"sources": [], "filter": {"safe": false}}"#)
        let count = 4000
        let texts = (0..<count).map { "Test joke number \($0), with some words behind it to make it longer.\n%\n" }
        let file = try daemon.folder.write(texts.joined(), to: "f")
        var random = SplitMix64(seed: testSeed)
        // Each attempt may leave an import that waits for its client for a minute, and at most four may be open.
        for _ in 0..<3 {
            let arguments = ["--socket", daemon.socket, "import", "--favorites", file]
            let program = try ChildProcess(builtProgram("jokesctl"), arguments)
            sleepRandomly(upTo: .milliseconds(400), &random)
            program.signal(SIGKILL)
            try program.waitForEnd()
            let found = try daemon.json("favorites", as: [PrintedJoke].self).count
            #expect(found == 0 || found == count, "JOKESD_TEST_SEED=\(testSeed)")
            if found == count { break }
        }
        #expect(try daemon.control("import", "--favorites", file).ending == .exited(0))
        #expect(try daemon.json("favorites", as: [PrintedJoke].self).count == count)
    }

    @Test("an invalid record is refused with its number, and nothing of its import is stored")
    func refused() throws {
        let daemon = try DaemonUnderTest()
        let client = try daemon.connect()
        let empty = Favorite(
            id: JokeID(rawValue: "test:1"), content: JokeContent(text: .single("\u{7}")),
            favoritedAt: Timestamp(microseconds: 1))
        let id = try #require(try client.call(ImportMethod.self, .init([.numbered(1)].map(ExchangeRecord.favorite))).id)
        let reason = try refusal {
            _ = try client.call(ImportMethod.self, .init(id: id, [.numbered(2), empty].map(ExchangeRecord.favorite)))
        }
        #expect(reason == .importRefused(reason: "record 1: the text is empty"))
        #expect(
            try refusal { _ = try client.call(ImportMethod.self, .init(id: id, [], isLast: true)) }
                == .noSuchImport(id: id))
        #expect(try daemon.json("favorites", as: [PrintedJoke].self).isEmpty)
    }

    @Test(
        "a piece with a wrong parameter adds nothing to its import, which waits for the next piece",
        arguments: [
            #""unknown":1"#, #""favorites":7"#, #""last":"no""#, #""hidden":[{"fingerprint":"x","hiddenAt":1}]"#,
        ])
    func wrongPiece(_ wrong: String) throws {
        let daemon = try DaemonUnderTest()
        let client = try daemon.connect()
        let id = try #require(try client.call(ImportMethod.self, .init([.numbered(1)].map(ExchangeRecord.favorite))).id)
        let other = try RawClient(daemon.socket)
        try other.send(#"{"method":"org.jokesd.Jokes.Import","parameters":{"id":"\#(id)",\#(wrong)}}|"#)
        #expect(try other.receive()?.contains("InvalidParameter") == true)
        #expect(try client.call(ImportMethod.self, .init(id: id, [], isLast: true)).report?.newFavorites == 1)
    }

    @Test("at most four imports are open, and a fifth gets Busy")
    func several() throws {
        let daemon = try DaemonUnderTest()
        let client = try daemon.connect()
        let ids = try (0..<4).map { number in
            try #require(try client.call(ImportMethod.self, .init([.numbered(number)].map(ExchangeRecord.favorite))).id)
        }
        #expect(Set(ids).count == 4)
        #expect(
            try refusal { _ = try client.call(ImportMethod.self, .init([], isLast: true)) } == .busy(retryAfterMs: 1000)
        )
        for (number, id) in ids.enumerated() {
            let reply = try client.call(ImportMethod.self, .init(id: id, [], isLast: true))
            #expect(reply.id == nil && reply.report?.newFavorites == 1, "\(number)")
        }
        #expect(try client.call(ImportMethod.self, .init([], isLast: true)).report?.newFavorites == 0)
    }

    @Test(
        "the disk space of a staged import is freed at its end",
        .enabled(if: isSlowTier, "slow tier"))
    func diskSpace() throws {
        let daemon = try DaemonUnderTest(configuration: #"{"sources": [], "filter": {"maxLength": 8192}}"#)
        let client = try daemon.connect()
        var id: String?
        for piece in 0..<8 {
            let long = (0..<80).map { number in
                Favorite(
                    id: JokeID(rawValue: "test:\(piece)-\(number)"),
                    content: JokeContent(
                        text: .single("\(piece) \(number)" + String(repeating: " duck", count: 1600)), safety: .safe
                    ),
                    favoritedAt: Timestamp(microseconds: 1))
            }
            id = try client.call(ImportMethod.self, .init(id: id, long.map(ExchangeRecord.favorite))).id
        }
        let waiting = try client.call(ImportMethod.self, .init([.numbered(1)].map(ExchangeRecord.favorite))).id
        #expect(try temporaryFiles(of: daemon) > 0)
        #expect(try client.call(ImportMethod.self, .init(id: id, [], isLast: true)).report?.newFavorites == 640)
        // Another import is still open and keeps its record.
        #expect(try client.call(ImportMethod.self, .init(id: waiting, [], isLast: true)).report?.newFavorites == 1)
        #expect(try temporaryFiles(of: daemon) == 0)
    }

    /// The number of files of staged imports that the daemon has open.
    private func temporaryFiles(of daemon: DaemonUnderTest) throws -> Int {
        let folder = "/proc/\(daemon.process.pid)/fd"
        return try namesInFolder(folder).count { name in
            var target = [CChar](repeating: 0, count: 4096)
            let length = readlink("\(folder)/\(name)", &target, target.count)
            return String(decoding: target.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
                .contains("/import-")
        }
    }

    @Test("thousands of favorites and the longest texts are exported and imported in messages of bounded size")
    func many() throws {
        let lax = #"{"sources": [], "filter": {"maxLength": 8192}}"#
        let daemon = try DaemonUnderTest(configuration: lax)
        // Per byte, a line end and a quote have the longest JSON.
        let (longCount, shortCount) = (scaled(60), scaled(3_000))
        let long = (0..<longCount).map { "\($0)" + String(repeating: "\n\"\"\"\"\"\"\"", count: 1000) + "\n%\n" }
        let short = (0..<shortCount).map { "Test joke number \($0).\n%\n" }
        let file = try daemon.folder.write((long + short).joined(), to: "f")
        #expect(try daemon.control("import", "--favorites", file).output.contains("\(longCount + shortCount) new"))
        let exported = try daemon.control("export")
        #expect(exported.ending == .exited(0))
        let other = try DaemonUnderTest(configuration: lax)
        let result = try other.control("import", try other.folder.write(exported.output, to: "f"))
        #expect(result.output.contains("\(longCount + shortCount) new"), "\(result)")
        #expect(try other.control("export").output == exported.output)
    }
}
