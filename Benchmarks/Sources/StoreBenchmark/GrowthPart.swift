import JokeCorpus
import JokesClient
import JokesCore
import JokesProtocol
import Measuring

/// What grows with the number of jokes: the bytes written, the calls that block the service loop, and whole listings.
///
/// Doubles the number of jokes from 12,500 to `--jokes`. The yardstick of a call is the same call with 12,500 jokes.
enum GrowthPart: Part {
    static let name = "growth"
    static let summary =
        "writes, calls and listings with 12,500 jokes to --jokes; yardsticks: the size of the file, and 12,500 jokes"
    private static let smallest = 12_500
    private static let calls = 11

    static func measure(_ cache: Cache) async throws -> [Figure] {
        var figures: [Figure] = []
        var first: [String: [Double]] = [:]
        var jokes = smallest
        while jokes <= cache.jokes {
            let sample = try await GrowthSample(folder: "\(cache.folder)/growth-\(jokes)", jokes: jokes)
            let size = "\(jokes) jokes"
            figures += [
                Figure(
                    part: name, what: "\(size): written while ingesting", values: [sample.writtenBytes / 1e6],
                    yardstick: ("the file, at most 8 ×", [sample.fileBytes / 1e6]), unit: "MB"),
                Figure(part: name, what: "\(size): ingest", values: [sample.ingest], unit: "s"),
                Figure(
                    part: name, what: "\(size): change of the filter", values: [sample.rulesChange], unit: "ms",
                    note: "at most 1000 ms for 100000 jokes"),
            ]
            for (what, values) in try callTimes(sample.folder) {
                figures.append(
                    Figure(
                        part: name, what: "\(size): \(what)", values: values,
                        yardstick: ("\(smallest) jokes", first[what, default: values]),
                        note: what.hasPrefix("List") || what.hasPrefix("Search")
                            ? "at most 20 ms for 100000 jokes" : "not on the service loop"))
                first[what] = first[what] ?? values
            }
            for (what, values) in try listingTimes(sample.folder) {
                figures.append(
                    Figure(
                        part: name, what: "\(size): \(what)", values: values,
                        yardstick: ("\(smallest) jokes, at most 2 ×", first[what, default: values]), unit: "µs/row"))
                first[what] = first[what] ?? values
            }
            jokes *= 2
        }
        return figures
    }

    /// Returns the milliseconds of each call of a daemon.
    private static func callTimes(_ folder: String) throws -> [(what: String, values: [Double])] {
        let starts = try (0..<3).map { _ in
            let daemon = try MeasuredDaemon(on: folder)
            let connection = try daemon.connect()
            let time = try milliseconds { _ = try connection.call(RandomMethod.self, JokeSelection()) }
            try daemon.stop()
            return time
        }
        let daemon = try MeasuredDaemon(on: folder)
        let connection = try daemon.connect()
        func times(_ body: () throws -> Void) rethrows -> [Double] {
            try body()
            return try (0..<calls).map { _ in try milliseconds(body) }
        }
        func list(_ selection: JokeSelection) throws -> [Double] {
            try times { _ = try connection.call(ListMethod.self, ListMethod.Parameters(selection)) }
        }
        func random(_ selection: JokeSelection) throws -> [Double] {
            try times { _ = try connection.call(RandomMethod.self, selection) }
        }
        func search(_ query: String, _ selection: JokeSelection = JokeSelection()) throws -> [Double] {
            let parameters = SearchMethod.Parameters(SearchMethod.Query(query: query), selection)
            return try times { _ = try connection.call(SearchMethod.self, parameters) }
        }
        let common = "\(Corpus.vocabulary[0]) "
        let result = [
            ("first Random after a start", starts),
            ("Random, by length", try random(JokeSelection(maxLength: 100))),
            ("Random, in a rare language", try random(JokeSelection(language: "eo"))),
            ("Statistics", try times { _ = try connection.call(StatisticsMethod.self, JokeSelection()) }),
            ("List, in one language", try list(JokeSelection(language: "en"))),
            ("List, in a rare language", try list(JokeSelection(language: "eo"))),
            ("List, unseen", try list(JokeSelection(unseen: true))),
            ("List, by length", try list(JokeSelection(maxLength: 100))),
            ("Search, a common word", try search(common)),
            ("Search, in a rare language", try search(common, JokeSelection(language: "eo"))),
            (
                "Search, in a language without jokes",
                try search(common, JokeSelection(language: NameSelection(only: ["eo"], not: ["eo"])))
            ),
            ("Search, by a length without jokes", try search(common, JokeSelection(maxLength: 1))),
        ]
        try daemon.stop()
        return result
    }

    /// Returns the microseconds for each row of whole listings, in pages of 100 rows.
    private static func listingTimes(_ folder: String) throws -> [(what: String, values: [Double])] {
        let daemon = try MeasuredDaemon(on: folder)
        let connection = try daemon.connect()
        func perRow(_ page: (_ cursor: String?) throws -> (rows: Int, next: String?)) throws -> [Double] {
            var rows = 0
            var cursor: String?
            let time = try milliseconds {
                repeat {
                    let read = try page(cursor)
                    rows += read.rows
                    cursor = read.next
                } while cursor != nil
            }
            return [time * 1000 / Double(rows)]
        }
        func list(_ selection: JokeSelection) throws -> [Double] {
            try perRow { cursor in
                let parameters = ListMethod.Parameters(selection, cursor: cursor, limit: 100)
                let reply = try connection.call(ListMethod.self, parameters)
                return (reply.jokes.count, reply.next)
            }
        }
        func search(_ query: String) throws -> [Double] {
            try perRow { cursor in
                let parameters = SearchMethod.Parameters(
                    SearchMethod.Query(query: query, cursor: cursor, limit: 100))
                let reply = try connection.call(SearchMethod.self, parameters)
                return (reply.found.count, reply.next)
            }
        }
        let result = [
            ("whole list", try list(JokeSelection())),
            ("whole list in one language", try list(JokeSelection(language: "en"))),
            ("whole search for a prefix", try search(Corpus.vocabulary[2])),
        ]
        try daemon.stop()
        return result
    }
}
