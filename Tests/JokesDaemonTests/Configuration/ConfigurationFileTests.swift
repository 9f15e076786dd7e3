import Glibc
import JSON5
import JokesCore
import TestSupport
import Testing
import Unix

@testable import JokesDaemon

struct ConfigurationFileTests {
    private let folder: TemporaryFolder
    private let home: String

    init() throws {
        folder = try TemporaryFolder()
        home = folder.path("home")
        for path in ["home", "home/.config", "home/.config/jokesd", "xdg", "xdg/jokesd"] {
            try retrying("make", path) { mkdir(folder.path(path), 0o700) }
        }
    }

    private func load(option: String? = nil, _ environment: [String: String]) throws(ConfigurationError) -> (
        size: Int, origin: String
    ) {
        let (configuration, origin) = try Configuration.load(
            option: option, environment: environment, systemFile: folder.path("system.json"))
        return (configuration.feed.size, origin)
    }

    @Test("the file of --config comes first, then the user's, then the system's, then the built-in one")
    func searchesInOrder() throws {
        let environment = ["XDG_CONFIG_HOME": folder.path("xdg"), "HOME": home]
        #expect(try load(environment) == (50, Configuration.builtInOrigin))
        let system = try folder.write("{ feed: { size: 1 } }", to: "system.json")
        #expect(try load(environment) == (1, system))
        let personal = try folder.write("{ feed: { size: 2 } }", to: "xdg/jokesd/config.json")
        #expect(try load(environment) == (2, personal))
        let given = try folder.write("{ feed: { size: 3 } }", to: "given.json")
        #expect(try load(option: given, environment) == (3, given))
    }

    @Test("without XDG_CONFIG_HOME, or with a relative one, the user's file is in ~/.config")
    func fallsBackToHome() throws {
        let personal = try folder.write("{ feed: { size: 2 } }", to: "home/.config/jokesd/config.json")
        #expect(try load(["HOME": home]) == (2, personal))
        #expect(try load(["HOME": home, "XDG_CONFIG_HOME": "config"]) == (2, personal))
        #expect(try load([:]) == (50, Configuration.builtInOrigin))
    }

    @Test("a file that exists and cannot be read is an error")
    func refusesWhatItCannotRead() throws {
        let path = folder.path("xdg/jokesd/config.json")
        try retrying("make", path) { mkdir(path, 0o700) }
        #expect(throws: ConfigurationError.unreadable(SystemError("read", path, code: EISDIR))) {
            try load(["XDG_CONFIG_HOME": folder.path("xdg")])
        }
    }

    @Test("a file larger than 1 MB is refused")
    func refusesLargeFile() throws {
        let path = try folder.write(String(repeating: " ", count: 1_000_001), to: "large.json")
        #expect(throws: ConfigurationError.unreadable(SystemError("read", path, code: EFBIG))) {
            try load(option: path, [:])
        }
    }
}
