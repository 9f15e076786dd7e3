import Glibc
import JokesCore
import JokesStore
import StorageFaults
import TestSupport
import Testing

/// What the system does not give is no damage, though SQLite has one word for both: nothing is moved, and all is there
/// once it can be read again.
@Suite struct UnreadableTests {
    private let whole: WholeDatabase

    init() throws {
        whole = try WholeDatabase.shared(hasLog: false)
    }

    private func isDatabase(_ path: String) -> Int32 {
        path.hasSuffix("/jokes.sqlite") ? EIO : 0
    }

    private func isAside(_ path: String) -> Int32 {
        path.contains("/jokes-damaged-") ? EIO : 0
    }

    private func hasNothingAside(_ fixture: Fixture) -> Bool {
        fixture.names.allSatisfy { !$0.hasPrefix("jokes-damaged-") }
    }

    @Test("a disk that cannot be read while it runs is told as that, and all favorites are there when it is well again")
    func whileRunning() throws {
        let fixture = try whole.files(after: Damage(edits: []))
        let store = try fixture.open(rules: whole.rules)
        var met: [FoundDamage] = []
        let reader = try JokeReader(of: store)
        refusingReads(isDatabase) {
            reader.tellOfDamage = { met.append($0) }
            #expect(throws: StoreError.self) { try reader.favorites() }
            if let found = met.first {
                store.assumeIsolated { $0.report(found) }
                let refused = #expect(throws: StoreError.self) { try store.assumeIsolated { try $0.recover() } }
                #expect(refused?.code == .inputOutput)
            }
            #expect(throws: StoreError.self) { try store.star(whole.jokes[1].id.rawValue) }
        }
        #expect(!met.isEmpty, "SQLite takes it for damage")
        #expect(hasNothingAside(fixture))
        _ = try store.unstar(whole.favorites[0].id.rawValue)
        #expect(try store.assumeIsolated { try $0.recover() } == nil)
        #expect(try JokeReader(of: store).favorites() == Array(whole.favorites.dropFirst()))
    }

    @Test("a start on a disk that cannot be read fails, moves nothing, and the next one has all")
    func atStart() throws {
        let fixture = try whole.files(after: Damage(edits: []))
        let refused = #expect(throws: StoreError.self) {
            try refusingReads(isDatabase) { try fixture.open(rules: whole.rules) }
        }
        #expect(refused?.code == .inputOutput)
        #expect(hasNothingAside(fixture))
        let store = try fixture.open(rules: whole.rules)
        #expect(store.recovery == nil)
        #expect(try JokeReader(of: store).favorites() == whole.favorites)
    }

    @Test("what was moved aside and cannot be read for a while is salvaged when it can")
    func aside() throws {
        let fixture = try whole.files(after: Damage(edits: [.init(.main, .garbage(0..<4096))]))
        let refused = #expect(throws: StoreError.self) {
            try refusingReads(isAside) { try fixture.open(rules: whole.rules) }
        }
        #expect(refused?.code == .inputOutput)
        #expect(fixture.names.contains("jokes.sqlite.recovery") && !fixture.names.contains("jokes.sqlite"))
        let store = try fixture.open(rules: whole.rules)
        #expect(store.recovery?.favorites == whole.favorites.count)
        #expect(try JokeReader(of: store).favorites() == whole.favorites)
    }

    @Test(
        "a note of a recovery that cannot be read for a moment stops the start, and the next one salvages all",
        arguments: [EIO, EMFILE, ENFILE, ENOMEM, EACCES])
    func note(code: Int32) throws {
        let fixture = try setAside()
        let before = try fixture.contents()
        #expect(throws: StoreError.self) {
            try refusingFileCalls { call, path in
                call == .open && path.hasSuffix("/jokes.sqlite.recovery") ? code : 0
            } during: {
                try fixture.open(rules: whole.rules)
            }
        }
        #expect(try fixture.contents() == before, "nothing is made, moved or removed")
        try holdThatAllIsSalvaged(fixture)
    }

    @Test("a folder in place of the note stops the start until somebody takes it away, and nothing is lost")
    func noteIsFolder() throws {
        let fixture = try setAside()
        let note = "\(fixture.path)/jokes.sqlite.recovery"
        #expect(rename(note, "\(fixture.path)/away") == 0 && mkdir(note, 0o700) == 0)
        let refused = #expect(throws: StoreError.self) { try fixture.open(rules: whole.rules) }
        #expect(refused?.reason.contains(note) == true)
        #expect(!fixture.names.contains("jokes.sqlite"))
        #expect(rmdir(note) == 0 && rename("\(fixture.path)/away", note) == 0)
        try holdThatAllIsSalvaged(fixture)
    }

    @Test(
        "a note whose bytes went bad is taken for one of what was moved aside last",
        arguments: [0, 10, 70_000])
    func garbledNote(size: Int) throws {
        let fixture = try setAside()
        // Of recoveries that were completed before.
        for name in [
            "2001-01-01T00-00-00Z.sqlite", "2023-11-14T22-13-19Z-12.sqlite", "2022-11-14T22-13-20Z.sqlite-wal",
        ] {
            try fixture.write([1, 2, 3], to: "jokes-damaged-\(name)")
        }
        try fixture.replace("jokes.sqlite.recovery", with: [UInt8](repeating: 0xA5, count: size))
        try holdThatAllIsSalvaged(fixture)
    }

    @Test("a note whose bytes went bad, and nothing is aside: the database in place speaks for itself")
    func garbledNoteBesideDatabase() throws {
        let fixture = try whole.files(after: Damage(edits: []))
        try fixture.write("jokes", to: "jokes.sqlite.recovery")
        let store = try fixture.open(rules: whole.rules)
        #expect(store.recovery == nil)
        #expect(try JokeReader(of: store).favorites() == whole.favorites)
        #expect(!fixture.names.contains("jokes.sqlite.recovery"))
    }

    /// A recovery that has moved the files aside, and was stopped then.
    private func setAside() throws -> Fixture {
        let fixture = try whole.files(after: Damage(edits: [.init(.main, .garbage(0..<4096))]))
        #expect(throws: StoreError.self) { try refusingReads(isAside) { try fixture.open(rules: whole.rules) } }
        try hold(
            fixture.names.contains("jokes.sqlite.recovery") && !fixture.names.contains("jokes.sqlite"),
            "there is \(fixture.names)")
        return fixture
    }

    private func holdThatAllIsSalvaged(_ fixture: Fixture) throws {
        let store = try fixture.open(rules: whole.rules)
        #expect(store.recovery?.favorites == whole.favorites.count)
        #expect(try JokeReader(of: store).favorites() == whole.favorites)
        #expect(try JokeReader(of: store).recoveries().count == 1)
        #expect(try fixture.open(rules: whole.rules).recovery == nil)
    }

    @Test("a new database that cannot be opened at once is opened later, and is not moved aside too")
    func newOne() throws {
        let fixture = try whole.files(after: Damage(edits: []))
        let store = try fixture.open(rules: whole.rules)
        let found = try JokeReader(of: store).damage(StoreError(.corrupt, attempt: "read", reason: "a page is damaged"))
        store.assumeIsolated { $0.report(found) }
        // From when the new one has taken the old one's place.
        #expect(throws: StoreError.self) {
            try refusingReads { path in
                hasNothingAside(fixture) || fixture.names.contains("jokes.sqlite.recovery") ? 0 : isDatabase(path)
            } during: {
                try store.assumeIsolated { try $0.recover() }
            }
        }
        #expect(try store.assumeIsolated { try $0.recover() }?.favorites == whole.favorites.count)
        #expect(fixture.names.count { $0.hasPrefix("jokes-damaged-") && $0.hasSuffix(".sqlite") } == 1)
        #expect(try JokeReader(of: store).favorites() == whole.favorites)
    }
}
