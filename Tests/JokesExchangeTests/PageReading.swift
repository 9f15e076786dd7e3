import FoundationEssentials
import TestSupport
import Testing

/// A joke of an exported page, as Tests/Clients/read_page.py reads it.
struct PageJoke: Decodable, Equatable {
    var section: String?
    var setup: String
    var punchline: String?
    var note: String?
    var language: String?
    var link: String?
    var source: String
    var author: String?
    var day: String

    /// Reads pages with Python's parsers of HTML and XML. A page that they read differently fails.
    static func read(_ pages: [String]) throws -> [[PageJoke]] {
        let folder = try TemporaryFolder()
        let files = try pages.enumerated().map { try folder.write($1, to: "\($0).html") }
        let result = try ChildProcess.run(
            try #require(SystemPython.path), SystemPython.arguments("read_page.py", files))
        try #require(result.ending == .exited(0), "\(result.errors.suffix(2000))")
        return try result.output.split(separator: "\n").map {
            try JSONDecoder().decode([PageJoke].self, from: Data($0.utf8))
        }
    }
}
