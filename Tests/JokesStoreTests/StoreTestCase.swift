import JokesStore

/// The base of suites whose tests start with an empty store and its reader.
class StoreTestCase {
    let fixture: Fixture
    let store: JokeStore
    let reader: JokeReader

    init() throws {
        fixture = try Fixture()
        store = try fixture.open()
        reader = try JokeReader(of: store)
    }
}
