import JSON5
import JokesCore
import TestSupport
import Testing
import Unix

@testable import JokesDaemon

/// The file that a client may edit.
@Suite struct FileToEditTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func fileToEdit(_ option: String? = nil, isSystemDaemon: Bool = false) -> (path: String, exists: Bool) {
        Configuration.fileToEdit(
            option: option, environment: ["XDG_CONFIG_HOME": folder.path("home")], isSystemDaemon: isSystemDaemon,
            systemFile: folder.path("system.json"))
    }

    @Test("without a file, a new one is the personal file, or the file for all users for the system daemon")
    func new() throws {
        #expect(fileToEdit() == (folder.path("home/jokesd/config.json"), false))
        #expect(fileToEdit(isSystemDaemon: true) == (folder.path("system.json"), false))
        let bare = Configuration.fileToEdit(
            option: nil, environment: [:], isSystemDaemon: false, systemFile: folder.path("system.json"))
        #expect(bare == (folder.path("system.json"), false))
    }

    @Test("the file to edit is the file that the daemon reads")
    func existing() throws {
        try folder.write("{}", to: "system.json")
        #expect(fileToEdit() == (folder.path("system.json"), true))
        try makeFolder(folder.path("home/jokesd"), mode: 0o755)
        try folder.write("{}", to: "home/jokesd/config.json")
        #expect(fileToEdit() == (folder.path("home/jokesd/config.json"), true))
        let loaded = try Configuration.load(
            option: nil, environment: ["XDG_CONFIG_HOME": folder.path("home")], systemFile: folder.path("system.json"))
        #expect(loaded.origin == fileToEdit().path)
        #expect(fileToEdit(folder.path("other.json")) == (folder.path("other.json"), false))
        #expect(fileToEdit("other.json").path.hasPrefix("/") && fileToEdit("other.json").path.hasSuffix("/other.json"))
    }

    @Test("the default sources are those of the built-in configuration, with their comments")
    func defaults() throws {
        let text = Configuration.defaultSourcesText
        let read = try Configuration.parse(Array("{\"sources\": \(text)}".utf8), file: "test")
        #expect(read.sources == Configuration.builtIn.sources)
        #expect(text.contains("// Time between syncs.") && text.hasPrefix("[\n  {\n") && text.hasSuffix("\n]"))
    }
}
