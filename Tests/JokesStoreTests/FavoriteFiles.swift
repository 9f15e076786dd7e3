import Glibc
import JokesCore
import JokesStore
import TestSupport
import Unix

/// A folder with favorites, notes and hidden marks, as bytes; with a WAL, as a killed daemon leaves it, or without.
struct FavoriteFiles: Sendable {
    /// Newest first.
    let favorites: [Favorite]
    let hidden: [HiddenMark]
    let files: [String: [UInt8]]

    private static let withWAL = Result { try FavoriteFiles(hasWAL: true) }
    private static let closed = Result { try FavoriteFiles(hasWAL: false) }

    /// Returns the files, which are made once for all tests.
    static func shared(hasWAL: Bool) throws -> FavoriteFiles {
        try (hasWAL ? withWAL : closed).get()
    }

    private init(hasWAL: Bool) throws {
        let fixture = try Fixture()
        var store: JokeStore? = try fixture.open()
        try store?.take(jokes(0..<200))
        for number in 0..<60 { try store?.star("a:\(number)", note: number % 3 == 0 ? "note \(number)" : nil) }
        if !hasWAL { store = nil }
        let open = try store ?? fixture.open()
        for number in 60..<80 { try open.star("a:\(number)", hours: 1) }
        for number in 0..<10 { try open.unstar("a:\(number * 5)") }
        try open.star("a:7", note: "another note")
        try open.assumeIsolated { store in
            for number in 100..<112 { try store.setHidden(true, JokeID(rawValue: "a:\(number)"), at: Fixture.noon) }
            try store.setHidden(false, JokeID(rawValue: "a:101"), at: Fixture.noon)
        }
        let reader = try JokeReader(of: open)
        (favorites, hidden) = (try reader.favorites(), try reader.hidden(limit: 100))
        if hasWAL {
            files = try fixture.contents()
        } else {
            store = nil
            let other = try Fixture(holding: fixture.contents())
            // Opens and closes a copy: the reader above keeps the WAL.
            _ = try other.open()
            files = try other.contents()
        }
    }

    /// A folder with the files, changed by the body.
    func fixture(_ change: (inout [String: [UInt8]]) -> Void = { _ in }) throws -> Fixture {
        var changed = files
        change(&changed)
        return try Fixture(holding: changed)
    }

    /// Checks that a store has exactly the favorites and hidden marks.
    func holdAll(_ store: JokeStore) throws {
        let reader = try JokeReader(of: store)
        let kept = try reader.favorites()
        try hold(
            kept == favorites,
            "kept \(kept.map(\.id.rawValue)) of \(favorites.map(\.id.rawValue)); \(String(describing: store.recovery))")
        try hold(try reader.hidden(limit: 100) == hidden, "the hidden marks differ")
    }
}

extension Fixture {
    var names: [String] {
        (try? namesInFolder(path)) ?? []
    }

    /// Every file with its bytes.
    func contents() throws -> [String: [UInt8]] {
        try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try contentsOfFile("\(path)/\($0)", limit: 1 << 26)) })
    }

    /// Opens a store with the favorites and hidden marks of the journal alone.
    func openWithoutDatabase() throws -> JokeStore {
        for name in ["jokes.sqlite", "jokes.sqlite-wal", "jokes.sqlite-shm"] { unlink("\(path)/\(name)") }
        return try open()
    }
}

extension SplitMix64 {
    /// Changes, cuts off or removes bytes; returns nil if the file is gone.
    mutating func damaged(_ bytes: [UInt8]) -> [UInt8]? {
        guard !bytes.isEmpty else { return bytes }
        var bytes = bytes
        let place = int(in: 0..<bytes.count)
        switch int(in: 0..<10) {
        case 0: return nil
        case 1: return []
        case 2: return Array(bytes.prefix(place))
        case 3, 4:
            for place in place..<min(bytes.count, place + int(in: 1..<9_000)) { bytes[place] = 0 }
        case 5, 6:
            for place in place..<min(bytes.count, place + int(in: 1..<9_000)) {
                bytes[place] = UInt8(truncatingIfNeeded: next())
            }
        default: bytes[place] ^= UInt8(1 << int(in: 0..<8))
        }
        return bytes
    }
}
