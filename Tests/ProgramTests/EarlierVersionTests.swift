import FoundationEssentials
import Glibc
import TestSupport
import Testing
import Unix
import Varlink

/// The files of earlier versions, in a folder of Fixtures for each. Fixtures/README.md describes them.
@Suite struct EarlierVersionTests {
    /// What expected.json says of the files: the JSON of jokesctl by command, and texts on the screen of the viewer.
    private struct Expected: Decodable {
        var opened: [String: AnyJSON]
        var undo: AnyJSON
        var undone: [String: AnyJSON]
        var viewer: [String]

        init(_ files: String) throws {
            let json = try contentsOfFile("\(files)/expected.json", limit: 1 << 20)
            self = try JSONDecoder().decode(Self.self, from: Data(json))
        }
    }

    /// The folders. Their names begin with a digit.
    private static func versions() throws -> [String] {
        let fixtures = #filePath.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/Fixtures"
        return try namesInFolder(fixtures).filter { $0.first?.isNumber == true }.map { "\(fixtures)/\($0)" }
    }

    /// Starts a daemon on a copy of the files, and syncs its sources, which read files.
    private func open(_ files: String) throws -> DaemonUnderTest {
        let configuration = String(decoding: try contentsOfFile("\(files)/config.json", limit: 1 << 20), as: UTF8.self)
        let daemon = try DaemonUnderTest(
            configuration: configuration, arguments: ["--log-level", "warning"], copying: files)
        try refresh(daemon)
        return daemon
    }

    private func refresh(_ daemon: DaemonUnderTest) throws {
        let result = try daemon.control("refresh")
        #expect(result.ending == .exited(0), "\(result.errors)")
    }

    private func check(_ daemon: DaemonUnderTest, prints expected: [String: AnyJSON]) throws {
        for (command, expected) in expected.sorted(by: { $0.key < $1.key }) {
            let printed: AnyJSON = try daemon.json(command.split(separator: " ").map(String.init))
            let differences = expected.differences(from: printed)
            #expect(differences.isEmpty, "jokesctl \(command)\n\(differences.joined(separator: "\n"))")
        }
    }

    @Test(
        "the files are opened without a warning, undo takes back their last change, and the journal then has everything",
        arguments: try versions())
    func opened(files: String) throws {
        let expected = try Expected(files)
        let daemon = try open(files)
        try check(daemon, prints: expected.opened)
        try check(daemon, prints: ["undo": expected.undo])
        try check(daemon, prints: expected.undone)
        #expect(try daemon.stop() == .exited(0))
        #expect(daemon.process.errors.text == "")
        let asides = ["-damaged-", "-foreign-", "-replaced-"]
        #expect(try namesInFolder(daemon.state).filter { name in asides.contains(where: name.contains) } == [])
        try #require(unlink("\(daemon.state)/jokes.sqlite") == 0)
        try daemon.start()
        try refresh(daemon)
        try check(daemon, prints: expected.undone)
    }

    @Test("the journal alone brings back the favorites, their notes and the hidden jokes", arguments: try versions())
    func journalAlone(files: String) throws {
        let folder = try TemporaryFolder()
        let copy = folder.path("copy")
        #expect(try ChildProcess.run("/bin/cp", ["-R", files, copy]).ending == .exited(0))
        try #require(unlink("\(copy)/jokes.sqlite") == 0)
        let daemon = try open(copy)
        let kept: Set = ["export", "favorites", "hidden"]
        try check(daemon, prints: Expected(files).opened.filter { kept.contains($0.key) })
        #expect(try daemon.status().recoveries.map(\.favoritesLost) == [0])
    }

    @Test("the viewer starts with the settings and the state of its last run", arguments: try versions())
    func viewer(files: String) throws {
        let daemon = try open(files)
        let folder = daemon.folder.path
        try #require(symlink(daemon.state, "\(folder)/jokesd") == 0)
        let viewer = try OpenViewer(
            on: daemon.socket, variables: ["XDG_CONFIG_HOME": folder, "XDG_STATE_HOME": folder])
        let texts = try Expected(files).viewer
        try viewer.wait("the screen had \(texts)") { screen in texts.allSatisfy(screen.contains) }
        try viewer.type("q")
        try viewer.waitForEnd()
    }
}

extension AnyJSON {
    /// The paths at which another value lacks a part of this one. The other value may have more members.
    fileprivate func differences(from other: AnyJSON?, at path: String = "") -> [String] {
        switch (self, other) {
        case (.object(let members), .object):
            members.sorted { $0.key < $1.key }.flatMap { $1.differences(from: other?[$0], at: "\(path)/\($0)") }
        case (.array(let elements), .array(let others)) where elements.count == others.count:
            elements.indices.flatMap { elements[$0].differences(from: others[$0], at: "\(path)/\($0)") }
        default:
            self == other ? [] : ["\(path): expected \(json), found \(other?.json ?? "nothing")"]
        }
    }

    private var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "\(self)"
    }
}
