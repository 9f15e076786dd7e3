package import JokesCore
import SQLite

extension JokeStore {
    /// Stores the joke of a day for `JokeReader.jokeOfTheDay`. Stores nothing if the joke was removed.
    package func setJokeOfTheDay(_ id: JokeID, on date: CivilDate) throws(StoreError) {
        try withOpenDatabase(to: "store the joke of the day", on: path) {
            try connection.write {
                guard let fingerprint = try connection.fingerprint(of: id) else { return }
                try connection.set(.jokeOfTheDay, to: "\(date) \(fingerprint.hex)")
            }
        }
    }
}
