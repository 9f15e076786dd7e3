import Glibc
import JokesCore
import JokesStore
import TestSupport
import Unix

/// The bytes of a state folder with favorites, notes and hidden marks: with the WAL of a killed daemon, or without.
struct FavoriteFiles: Sendable {
    /// The favorites, newest first.
    let favorites: [Favorite]
    let hidden: [HiddenMark]
    let files: [String: [UInt8]]

    private static let withWAL = Result { try FavoriteFiles(hasWAL: true) }
    private static let closed = Result { try FavoriteFiles(hasWAL: false) }

    /// Returns the files with or without WAL. They are created once for all tests.
    static func shared(hasWAL: Bool) throws -> FavoriteFiles {
        try (hasWAL ? withWAL : closed).get()
    }

    private init(hasWAL: Bool) throws {
        let fixture = try Fixture()
        var store: JokeStore? = try fixture.open()
        try store?.ingest(jokes(0..<200))
        for number in 0..<60 { try store?.favorite("a:\(number)", note: number % 3 == 0 ? "note \(number)" : nil) }
        // If `hasWAL` is false, closes the store, so that a second run of the store makes the other changes.
        if !hasWAL { store = nil }
        let openStore = try store ?? fixture.open()
        for number in 60..<80 { try openStore.favorite("a:\(number)", hours: 1) }
        for number in 0..<10 { try openStore.unfavorite("a:\(number * 5)") }
        try openStore.favorite("a:7", note: "another note")
        try openStore.assumeIsolated { store in
            for number in 100..<112 { try store.setHidden(true, JokeID(rawValue: "a:\(number)"), at: Fixture.now) }
            try store.setHidden(false, JokeID(rawValue: "a:101"), at: Fixture.now)
        }
        let reader = try JokeReader(of: openStore)
        (favorites, hidden) = (try reader.favorites(), try reader.hiddenMarks(limit: 100))
        if hasWAL {
            files = try fixture.contents()
        } else {
            // Opens and closes a copy. The WAL of the original remains while the store or the reader above is open.
            let copy = try Fixture(holding: fixture.contents())
            _ = try copy.open()
            files = try copy.contents()
        }
    }

    /// Returns a folder with the files, after `change`.
    func makeFixture(_ change: (inout [String: [UInt8]]) -> Void = { _ in }) throws -> Fixture {
        var changed = files
        change(&changed)
        return try Fixture(holding: changed)
    }

    /// Checks that a store has exactly the favorites and hidden marks.
    func checkAllKept(by store: JokeStore) throws {
        let reader = try JokeReader(of: store)
        let kept = try reader.favorites()
        try verify(
            kept == favorites,
            "kept \(kept.map(\.id.rawValue)) of \(favorites.map(\.id.rawValue)); \(String(describing: store.recovery))")
        try verify(try reader.hiddenMarks(limit: 100) == hidden, "the hidden marks differ")
    }
}

extension Fixture {
    /// The names of the files in the folder.
    var names: [String] {
        (try? namesInFolder(path)) ?? []
    }

    /// Returns the bytes of each file, by name.
    func contents() throws -> [String: [UInt8]] {
        try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try contentsOfFile("\(path)/\($0)", limit: 1 << 26)) })
    }

    /// Removes the database, and opens a store that restores favorites and hidden marks from the journal.
    func openWithoutDatabase() throws -> JokeStore {
        for name in ["jokes.sqlite", "jokes.sqlite-wal", "jokes.sqlite-shm"] { unlink("\(path)/\(name)") }
        return try open()
    }
}

extension SplitMix64 {
    /// Returns the bytes after random damage: changed, truncated or empty; nil if the file is to be removed.
    mutating func damaged(_ bytes: [UInt8]) -> [UInt8]? {
        guard !bytes.isEmpty else { return bytes }
        var bytes = bytes
        let position = int(in: 0..<bytes.count)
        switch int(in: 0..<10) {
        case 0: return nil
        case 1: return []
        case 2: return Array(bytes.prefix(position))
        case 3, 4:
            for index in position..<min(bytes.count, position + int(in: 1..<9_000)) { bytes[index] = 0 }
        case 5, 6:
            for index in position..<min(bytes.count, position + int(in: 1..<9_000)) {
                bytes[index] = UInt8(truncatingIfNeeded: next())
            }
        default: bytes[position] ^= UInt8(1 << int(in: 0..<8))
        }
        return bytes
    }
}
