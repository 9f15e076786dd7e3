import Glibc
import JokesCore
import JokesSources
import TestSupport
import Testing

@Suite struct FortuneTests {
    @Test(
        "entries are the texts between lines with only a percent sign",
        arguments: [
            ("one\n%\ntwo\n%\nthree\n", ["one\n", "two\n", "three\n"]),
            ("one\ntwo lines\n%\n\n%\n%\n  \n%\nlast", ["one\ntwo lines\n", "last"]),
            ("one\r\n%\r\ntwo\r\n%\r\n", ["one\r\n", "two\r\n"]), ("%\n%\nx\n%", ["x\n"]),
            ("100 %\n% no\n%%\n %\nend", ["100 %\n% no\n%%\n %\nend"]), ("only", ["only"]), ("\n", []), ("%\n", []),
        ])
    func entries(_ text: String, _ entries: [String]) async throws {
        let folder = try TemporaryFolder()
        let batches = try await Stage().fortune(folder.write(text, to: "jokes")).sync()
        #expect(batches.jokes == entries.map { FetchedJoke(setup: $0) })
        #expect(batches.refused == 0 && batches.last?.progress == .complete)
    }

    @Test("a riddle has two parts, and similar texts have one")
    func riddles() async throws {
        let folder = try TemporaryFolder()
        let text = """
            Q:\tWhat is it?
            \tReally?
            A:\tIt is this.
            \tReally.
            %
            Q: one
            A: two
            A: three
            %
            Q: without an answer
            %
            A: without a question
            """
        let jokes = try await Stage().fortune(folder.write(text, to: "riddles")).sync().jokes
        #expect(jokes.map(\.punchline) == ["\tIt is this.\n\tReally.\n", nil, nil, nil])
        #expect(jokes[0].setup == "\tWhat is it?\n\tReally?")
        #expect(jokes[1].setup == "Q: one\nA: two\nA: three\n")
    }

    @Test("an entry that is not UTF-8 is refused and counted, and the others are kept")
    func encoding() async throws {
        let folder = try TemporaryFolder()
        let bytes = Array("good\n%\nb".utf8) + [0xe4] + Array("d\n%\ngood\n%\n".utf8) + [0xff, 0xfe]
        let batches = try await Stage().fortune(folder.write(bytes, to: "jokes")).sync()
        #expect(batches.jokes.map(\.setup) == ["good\n", "good\n"] && batches.refused == 2)
    }

    @Test("a long file is read in pieces, each entry once, and an interrupted full sync continues")
    func pieces() async throws {
        let folder = try TemporaryFolder()
        var random = SplitMix64(seed: 4)
        let entries = (0..<90_000).map {
            "\($0) " + String(repeating: "x", count: .random(in: 0...80, using: &random)) + "\n"
        }
        let path = try folder.write(entries.joined(separator: "%\n"), to: "jokes")
        let batches = try await Stage().fortune(path).sync()
        #expect(batches.count > 3)
        #expect(batches.jokes.map(\.setup) == entries)
        #expect(batches.map(\.beginsFullSync) == [true] + batches.dropFirst().map { _ in false })
        let rest = try await Stage().fortune(path).sync(from: batches[1].position)
        #expect(rest.jokes == batches[2...].flatMap(\.jokes))
        #expect(rest.last?.progress == .complete)
    }

    @Test("an entry longer than a piece is refused, and the others are kept")
    func oversized() async throws {
        let folder = try TemporaryFolder()
        let long = String(repeating: "x", count: 2_000_000)
        let lines = String(repeating: "yyy\n", count: 300_000)
        let path = try folder.write("first\n%\n\(long)\n%\nsecond\n%\n\(lines)%\nthird\n%\n\(long)", to: "jokes")
        let batches = try await Stage().fortune(path).sync()
        #expect(batches.jokes.map(\.setup) == ["first\n", "second\n", "third\n"])
        #expect(batches.refused == 3)
        #expect(batches.last?.progress == .complete)
    }

    @Test("a file is read again only if it has changed")
    func unchanged() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("one\n", to: "jokes")
        let source = try Stage().fortune(path)
        let position = try #require(try await source.sync().last).position
        let second = try await source.sync(from: position)
        #expect(second.map(\.progress) == [.unchanged] && second.last?.position == position)
        try folder.write("one\n%\ntwo\n", to: "jokes")
        let third = try await source.sync(from: position)
        #expect(third.jokes.count == 2 && third.first?.beginsFullSync == true)
        var last = try #require(third.last).position
        for count in 3...9 {
            try folder.write((1...count).map { "\($0)\n%\n" }.joined(), to: "jokes")
            let next = try await source.sync(from: last)
            #expect(next.jokes.count == count && next.last?.progress == .complete)
            last = try #require(next.last).position
        }
    }

    @Test("a file that changes during a full sync is read again from its beginning")
    func changedMeanwhile() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(String(repeating: "old\n%\n", count: 300_000), to: "jokes")
        let source = try Stage().fortune(path)
        let first = try await source.nextBatch(from: SourcePosition(), atMost: nil)
        #expect(first.progress == .more)
        try folder.write("new\n", to: "jokes")
        let batches = try await source.sync(from: first.position)
        #expect(batches.jokes.map(\.setup) == ["new\n"] && batches.first?.beginsFullSync == true)
    }

    @Test("a sync with a limit returns that many jokes, until all were returned")
    func limited() async throws {
        let folder = try TemporaryFolder()
        let source = try Stage().fortune(folder.write((1...7).map { "\($0)\n" }.joined(separator: "%\n"), to: "jokes"))
        var position = SourcePosition()
        var counts: [Int] = []
        var progress: [SourceBatch.Progress] = []
        for _ in 0..<4 {
            let batch = try await source.nextBatch(from: position, atMost: 3)
            position = batch.position
            counts.append(batch.jokes.count)
            progress.append(batch.progress)
        }
        #expect(counts == [3, 3, 1, 0])
        #expect(progress == [.partial, .partial, .complete, .unchanged])
    }

    @Test("the files of a folder are read in order, without indexes, hidden files and folders")
    func folder() async throws {
        let folder = try TemporaryFolder()
        try folder.write("b\n", to: "b")
        try folder.write("a\n", to: "a")
        for name in ["a.dat", "a.u8", ".hidden", "a.pos"] { try folder.write("not this\n", to: name) }
        #expect(mkdir(folder.path("off"), 0o700) == 0)
        let batches = try await Stage().fortune(folder.path).sync()
        #expect(batches.jokes.map(\.setup) == ["a\n", "b\n"])
        #expect(batches.map(\.progress) == [.complete])
    }

    @Test("small files of a folder share batches, and a file that does not fit into a batch begins the next one")
    func manyFiles() async throws {
        let folder = try TemporaryFolder()
        for number in 100..<400 { try folder.write("\(number)\n", to: "\(number)") }
        let long = (0..<12_000).map { "\($0) words\n" }
        try folder.write(long.joined(separator: "%\n"), to: "500")
        try folder.write("last\n", to: "600")
        let source = try Stage().fortune(folder.path)
        let batches = try await source.sync()
        #expect(batches.jokes.map(\.setup) == (100..<400).map { "\($0)\n" } + long + ["last\n"])
        #expect(batches.map(\.progress) == [.more, .more, .complete])
        #expect(batches.map(\.beginsFullSync) == [true, false, false])
        var position = SourcePosition()
        for _ in 0..<2 { position = try await source.nextBatch(from: position, atMost: 7).position }
        #expect(try await source.nextBatch(from: position, atMost: 1).jokes.map(\.setup) == ["114\n"])
    }

    /// The header of an index of strfile(1): version, entries, longest, shortest, flags, delimiter.
    private static func index(flags: UInt8) -> [UInt8] {
        [0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0, flags, 0x25, 0, 0, 0]
    }

    @Test("a file whose index says that it is rotated is decoded, and its jokes are unsafe unless the source is rated")
    func rotated() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("D: Jul 42, é?\nN: Orpnhfr.\n%\nUnun!\n", to: "b")
        try folder.write("Plain.\n", to: "a")
        try folder.write(Self.index(flags: 4), to: "b.dat")
        try folder.write(Self.index(flags: 3), to: "a.dat")
        let decoded = [
            FetchedJoke(setup: " Why 42, é?", punchline: " Because.\n", safety: .unsafe),
            FetchedJoke(setup: "Haha!\n", safety: .unsafe),
        ]
        let unrated = try await Stage().fortune(path).sync()
        #expect(unrated.jokes == decoded)
        let all = try await Stage().fortune(folder.path).sync()
        #expect(all.jokes == [FetchedJoke(setup: "Plain.\n")] + decoded)
        let rated = try Stage().readers.reader(
            for: SourceConfiguration(name: "fortunes", kind: .fortune, path: path, safety: .safe))
        #expect(try await rated.sync().jokes.map(\.safety) == [nil, nil])
        // If the index changes, the file is read again.
        let position = try #require(unrated.last).position
        try folder.write(Self.index(flags: 0), to: "b.dat")
        #expect(try await Stage().fortune(path).sync(from: position).jokes.last == FetchedJoke(setup: "Unun!\n"))
    }

    @Test("a missing file is an error, unless it is optional")
    func absent() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("riddles")
        let position = SourcePosition(cursor: "kept")
        let batch = try await Stage().fortune(path, isOptional: true).nextBatch(from: position, atMost: nil)
        #expect(batch.progress == .absent("optional path \(path) does not exist") && batch.position == position)
        let error = try await Stage().fortune(path).failure()
        #expect(error.code == .file && error.description == "cannot open \(path): no such file or directory")
        #expect(try await Stage().fortune("/dev/zero", isOptional: true).failure().code == .file)
        let empty = try await Stage().fortune(folder.path).failure()
        #expect(empty.code == .file && empty.description == "folder \(folder.path) has no fortune files")
    }

    @Test("a source without a path is a configuration error")
    func misconfigured() throws {
        let source = SourceConfiguration(name: "fortunes", kind: .fortune)
        let error = #expect(throws: SourceError.self) { try Stage().readers.reader(for: source) }
        #expect(error?.code == .misconfigured)
    }
}
