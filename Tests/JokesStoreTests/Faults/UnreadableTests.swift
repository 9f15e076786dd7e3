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
        whole = try WholeDatabase(hasLog: false)
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
