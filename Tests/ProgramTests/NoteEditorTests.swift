import Glibc
import TestSupport
import Testing
import Unix

/// A note in the editor of the user, a shell script.
@Suite struct NoteEditorTests {
    /// The editor shows the text, and replaces it by a line of the terminal. It gets an option before the file.
    private static let editor = """
        #!/bin/sh
        PATH=/usr/bin:/bin
        for file; do :; done
        stat -c %a "$file" "${file%/*}" > "${0%/*}/modes"
        printf 'editing: '
        cat "$file"
        read -r line
        [ "$line" != fail ] || exit 3
        cp "$file" "$file~"
        printf '%s\\n\\n' "$line" > "$file"
        """

    @Test(
        "Alt+e in the prompt of a note lends the terminal to an editor; whatever happens there, the viewer comes back",
        arguments: ["VISUAL", "EDITOR", "vi"])
    func editor(from variable: String) async throws {
        let daemon = try DaemonUnderTest()
        try await daemon.waitForSyncs()
        let folder = try TemporaryFolder()
        try makeFolder(folder.path("private"), mode: 0o700)
        let script = try folder.write(Self.editor, to: "vi")
        try #require(chmod(script, 0o755) == 0)
        var variables = ["VISUAL": "", "PATH": folder.path, "TMPDIR": folder.path("private")]
        if variable != "vi" {
            variables["EDITOR"] = "false"
            variables[variable] = "\(script) --wait"
        }
        let viewer = try OpenViewer(on: daemon.socket, variables: variables)
        try viewer.waitForJokes()
        try viewer.type("etyped")
        try viewer.wait("the note was typed") { _ in viewer.status.hasPrefix("Note: typed ") }
        func open(_ text: String) throws {
            try viewer.type("\u{1B}e")
            try viewer.wait("the editor had the terminal") {
                $0.contains("editing: \(text)\n") && !viewer.screen.isAlternate && viewer.screen.inputModes.isEmpty
            }
        }
        func expect(_ text: String, _ words: String) throws {
            try viewer.wait("the viewer had the terminal, and showed \(words)") { _ in
                viewer.screen.isAlternate && viewer.status.hasPrefix("Note: \(text) ") && viewer.status.contains(words)
            }
            try #expect(namesInFolder(folder.path("private")).isEmpty)
        }
        try open("typed")
        try viewer.type("edited\n")
        try expect("edited", "Enter saves")
        try #expect(contentsOfFile(folder.path("modes"), limit: 100) == Array("600\n700\n".utf8))
        try open("edited")
        try viewer.type("fail\n")
        try expect("edited", "The editor failed with code 3")
        try viewer.type("!")
        try open("edited!")
        try viewer.type("\u{3}")
        try expect("edited!", "The editor was killed")
        try removeFile(script)
        try viewer.type("\u{1B}e")
        try expect("edited!", "No editor")
        try viewer.type("\r")
        try viewer.wait("the note was saved") { _ in viewer.status.contains("Note saved") }
        #expect(try daemon.control("export").output.contains("\"edited!\""))
        try viewer.type("q")
        try #expect(viewer.process.waitForEnd() == .exited(0))
        try #expect(viewer.isAsBefore)
    }
}
