import Glibc
import JokesCore
import JokesStore
import SQLite
import TestSupport
import Testing
import Unix

/// What is done to the files of a database.
struct Damage: CustomStringConvertible, Sendable {
    enum File: Sendable { case main, log, index }

    enum Action: Sendable {
        case truncate(Int)
        case flip(Int)
        case zero(Range<Int>)
        case garbage(Range<Int>)
        case remove
    }

    struct Edit: Sendable {
        let file: File
        let action: Action

        init(_ file: File, _ action: Action) {
            self.file = file
            self.action = action
        }
    }

    var edits: [Edit]

    var description: String { "\(edits.map { "\($0.file) \($0.action)" })" }

    /// One to four edits, most of them of the database itself.
    static func any(of whole: WholeDatabase, _ random: inout SplitMix64) -> Damage {
        Damage(
            edits: (0..<random.int(in: 1..<5)).map { _ in
                let file: File = random.chance(1, in: 8) ? .index : random.chance(1, in: 3) ? .log : .main
                let size = whole.bytes(of: file).count
                let place = random.int(in: 0..<max(1, size))
                let page = place / 4096 * 4096
                switch random.int(in: 0..<12) {
                case 0: return Edit(file, .truncate(place))
                case 1: return Edit(file, random.chance(1, in: 2) ? .truncate(0) : .truncate(page))
                case 2: return Edit(file, .zero(page..<page + 4096))
                case 3: return Edit(file, .garbage(page..<page + 4096))
                case 4: return Edit(file, .garbage(place..<place + random.int(in: 1..<20_000)))
                case 5: return Edit(file, file == .main ? .garbage(0..<size) : .remove)
                case 6: return Edit(file, .flip(random.int(in: 0..<100)))
                default: return Edit(file, .flip(place))
                }
            })
    }

    func applied(to bytes: [UInt8], of file: File) -> [UInt8]? {
        edits.filter { $0.file == file }.reduce(bytes) { bytes, edit in
            guard var bytes else { return nil }
            switch edit.action {
            case .truncate(let size): bytes.removeLast(max(0, bytes.count - size))
            case .flip(let place): if bytes.indices.contains(place) { bytes[place] ^= 0x55 }
            case .zero(let range): for place in range.clamped(to: bytes.indices) { bytes[place] = 0 }
            case .garbage(let range):
                var random = SplitMix64(seed: UInt64(range.lowerBound))
                for place in range.clamped(to: bytes.indices) {
                    bytes[place] = UInt8.random(in: 1...255, using: &random)
                }
            case .remove: return nil
            }
            return bytes
        }
    }
}

/// A database with some hundred favorites and thousands of jokes, as bytes; with a log where its last user was killed.
struct WholeDatabase: Sendable {
    let rules = ShowingRules.everything("a", "b")
    let jokes: [NormalizedJoke]
    /// Newest first.
    private(set) var favorites: [Favorite] = []
    private(set) var toldIDs: Set<JokeID> = []
    let hidden = 30
    private(set) var told = 0
    private(set) var main: [UInt8] = []
    private(set) var log: [UInt8] = []
    private(set) var index: [UInt8] = []

    private static let withLog = Result { try WholeDatabase(hasLog: true) }
    private static let withoutLog = Result { try WholeDatabase(hasLog: false) }

    /// Returns the database, which is made once for all tests.
    static func shared(hasLog: Bool = true) throws -> WholeDatabase {
        try (hasLog ? withLog : withoutLog).get()
    }

    private init(hasLog: Bool) throws {
        jokes = try (0..<2_000).map { number in
            let size = number % 50 == 0 ? 300 : number % 7
            let long = Array(repeating: "quack\(number % 13)", count: size).joined(separator: " ")
            return try joke(
                "a", number % 3 == 0 ? "~" : "\(number)", "Why did duck \(number) cross \(long)?",
                number % 2 == 0 ? "Side \(number)." : nil, categories: number % 4 == 0 ? ["Pun", "Duck"] : [])
        }
        let fixture = try Fixture()
        do {
            let store = try fixture.open(rules: rules)
            try store.take(jokes, position: SourcePosition(validators: .init(etag: "x", lastModified: nil)))
            for joke in jokes.prefix(300) where joke.contentHash.value & 1 == 0 { try store.star(joke.id.rawValue) }
            for joke in jokes.suffix(hidden) {
                _ = try store.assumeIsolated { try $0.setHidden(true, joke.id, at: Fixture.noon) }
            }
            let reader = try JokeReader(of: store)
            for _ in 0..<40 { if let joke = try reader.random() { toldIDs.insert(joke.id) } }
            told = toldIDs.count
            try store.assumeIsolated { [told = reader.unrecorded] in try $0.record(told, at: Fixture.noon) }
        }
        let store = try fixture.open(rules: rules)
        for joke in jokes.dropFirst(300).prefix(hasLog ? 60 : 0) { try store.star(joke.id.rawValue, hours: 1) }
        favorites = try JokeReader(of: store).favorites()
        main = try contentsOfFile(fixture.databasePath, limit: 1 << 26)
        if hasLog {
            log = try contentsOfFile("\(fixture.databasePath)-wal", limit: 1 << 26)
            index = try contentsOfFile("\(fixture.databasePath)-shm", limit: 1 << 26)
        }
    }

    func bytes(of file: Damage.File) -> [UInt8] {
        switch file {
        case .main: main
        case .log: log
        case .index: index
        }
    }

    /// A folder with the files as the damage leaves them.
    func files(after damage: Damage) throws -> Fixture {
        let fixture = try Fixture()
        for (file, name) in [
            (Damage.File.main, "jokes.sqlite"), (.log, "jokes.sqlite-wal"), (.index, "jokes.sqlite-shm"),
        ] {
            let bytes = bytes(of: file)
            guard !bytes.isEmpty, let damaged = damage.applied(to: bytes, of: file) else { continue }
            try fixture.replace(name, with: damaged)
        }
        return fixture
    }

    /// Where the frames of the log's last transaction begin.
    var lastTransaction: Int {
        let frameSize = 24 + 4096
        let starts = stride(from: 32, to: log.count - frameSize, by: frameSize)
        // The frame that ends a transaction has the number of pages there.
        return Array(starts).last { start in log[(start + 4)..<(start + 8)].contains { $0 != 0 } }! + frameSize
    }

    private var image: DatabaseImage {
        let (main, log) = (main, log)
        func reader(_ bytes: [UInt8]) -> FileBytes {
            { offset, count in Array(bytes.dropFirst(offset).prefix(count)) }
        }
        return DatabaseImage(main: reader(main), size: main.count, log: reader(log), logSize: log.count)
    }

    struct Page {
        let number: Int
        let favorites: Set<String>
        let isInLog: Bool
        let bytes: Range<Int>
    }

    /// The pages on which favorites stand that need no other.
    var favoritePages: [Page] {
        let image = image
        let free = image.freePages()
        return image.pageNumbers.filter { !free.contains($0) }.compactMap { number in
            let ids = image.rows(on: number).compactMap { row -> String? in
                guard row.key != nil, row.kinds.count >= 14, row.kinds[1].isBlob(32), let values = row.values(),
                    case .text(let id) = values[2], case .text(let setup) = values[5], setup.utf8.count < 1_000
                else { return nil }
                return id
            }
            let place = image.place(of: number)
            return ids.isEmpty
                ? nil : Page(number: number, favorites: Set(ids), isInLog: place.isInLog, bytes: place.bytes)
        }
    }

    /// Where a page stands in the database that has jokes and no favorites.
    var pageOfJokesAlone: Int? {
        let image = image
        let free = image.freePages()
        return image.pageNumbers.first { number in
            let rows = image.rows(on: number)
            return !free.contains(number) && !image.place(of: number).isInLog && rows.count > 3
                && rows.allSatisfy { $0.key != nil && $0.kinds.count > 14 && $0.kinds[1].isText }
        }.map { ($0 - 1) * 4096 }
    }

    /// Favorites whose bytes the damage leaves alone; but for the last one starred where the log is damaged: what is left
    /// of its transaction then cannot be told from what a loss of power leaves of one that was never acknowledged.
    func untouched(by damage: Damage) -> Set<String> {
        let (newMain, newLog) = (damage.applied(to: main, of: .main), damage.applied(to: log, of: .log))
        return favoritePages.reduce(into: Set<String>()) { ids, page in
            // A frame of the log is known by its header.
            let range = page.isInLog ? page.bytes.lowerBound - 24..<page.bytes.upperBound : page.bytes
            guard let after = page.isInLog ? newLog : newMain, after.count >= range.upperBound,
                after[range] == (page.isInLog ? log : main)[range]
            else { return }
            ids.formUnion(page.favorites)
        }.subtracting(newLog == log ? [] : favorites.prefix(1).map(\.id.rawValue))
    }

    func holdLaws(after damage: Damage) throws {
        let fixture = try files(after: damage)
        let before = try fixture.contents()
        let store: JokeStore
        do {
            store = try fixture.open(rules: rules)
        } catch let error as StoreError where [.newerSchema, .foreign].contains(error.code) {
            // The bytes that say whose file it is, and of which version: it is refused, and left as it is.
            return try hold(fixture.contents()["jokes.sqlite"] == before["jokes.sqlite"], "a refused file changed")
        }
        let reader = try JokeReader(of: store)
        let kept = try reader.favorites()
        let lost = untouched(by: damage).subtracting(kept.map(\.id.rawValue))
        // A file that was not found to be damaged may have lost what a damaged log held, as at a loss of power.
        try hold(lost.isEmpty, "lost \(lost.sorted()), recovery: \(String(describing: store.recovery))")
        guard let recovery = store.recovery else { return }
        try hold(recovery.favorites == kept.count, "counts")
        for favorite in kept {
            try hold(favorite.content.text.setup == cleanText(favorite.content.text.setup), "\(favorite) is not clean")
        }
        let after = try fixture.contents()
        for (name, bytes) in before where name != "jokes.sqlite-shm" {
            try hold(
                after.contains { $0.key.hasPrefix("jokes-damaged-") && $0.value == bytes }, "\(name) is not as it was")
        }
        try hold(!after.keys.contains("jokes.sqlite.recovery") && !after.keys.contains("jokes.sqlite.new"), "leftovers")
        let again = try fixture.open(rules: rules)
        try hold(again.recovery == nil, "recovered twice: \(String(describing: again.recovery))")
        try hold(try JokeReader(of: again).favorites() == kept, "the second opening shows other favorites")
    }
}

extension Fixture {
    /// Puts bytes in place of a file's.
    func replace(_ name: String, with bytes: [UInt8]) throws {
        try write(bytes, to: name)
    }

    var names: [String] {
        (try? namesInFolder(path)) ?? []
    }

    /// Every file with its bytes.
    func contents() throws -> [String: [UInt8]] {
        try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try contentsOfFile("\(path)/\($0)", limit: 1 << 26)) })
    }
}
