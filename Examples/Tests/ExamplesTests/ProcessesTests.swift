import Testing

@Suite struct ProcessesTests {
    private let folder: ProcessFolder

    init() throws {
        folder = try ProcessFolder()
        try folder.set(1, "init", hundredths: 305)
        try folder.set(20, "shell", user: 4_000_001, hundredths: 150)
        try folder.set(21, "editor", user: 4_000_001, hundredths: 90)
        try folder.set(30, "web (server)", user: 4_000_002, hundredths: 20)
    }

    @Test("users and processes are in the order of their CPU time")
    func firstList() throws {
        let program = try TerminalProgram("processes", [folder.path], rows: 8)
        #expect(
            try program.quit().lines == [
                "root: 1, 3.05 seconds",
                "        1      3.05 seconds  init",
                "4000001: 2, 2.4 seconds",
                "       20       1.5 seconds  shell",
                "       21       0.9 seconds  editor",
                "4000002: 1, 0.2 seconds",
                "       30       0.2 seconds  web (server)",
                "",
            ])
    }

    @Test("rows appear, disappear, move and change without a key")
    func refresh() throws {
        let program = try TerminalProgram("processes", [folder.path], rows: 8)
        try program.wait("the first list") { $0.lines[6].hasSuffix("web (server)") }
        folder.end(1)
        try folder.set(21, "editor", user: 4_000_001, hundredths: 250)
        try folder.set(30, "web (server)", user: 4_000_001, hundredths: 200)
        try folder.set(40, "compiler", user: 4_000_003, hundredths: 800)
        let lines = [
            "4000003: 1, 8.0 seconds",
            "       40       8.0 seconds  compiler",
            "4000001: 3, 6.0 seconds",
            "       21       2.5 seconds  editor",
            "       30       2.0 seconds  web (server)",
            "       20       1.5 seconds  shell",
            "",
            "",
        ]
        try program.wait("the changed list") { $0.lines == lines }
        _ = try program.quit()
    }

    @Test("the cursor stays on its process, and goes to the next one if its process ends")
    func cursor() throws {
        let program = try TerminalProgram("processes", [folder.path], rows: 8)
        try program.type("jjk")
        try program.wait("the cursor is on the shell") { $0.cursorLine.hasSuffix("shell") }
        try folder.set(20, "shell", user: 4_000_002, hundredths: 900)
        try program.type("r")
        try program.wait("the shell is the first row") { $0.row == 1 && $0.cursorLine.hasSuffix("9.0 seconds  shell") }
        try program.type("kkjj\u{1B}A")
        try program.wait("the cursor is on the server") { $0.row == 2 && $0.cursorLine.hasSuffix("web (server)") }
        folder.end(30)
        try program.type("r")
        try program.wait("the cursor is on the next row") { $0.row == 3 && $0.cursorLine.hasSuffix("init") }
        for id in folder.ids { folder.end(id) }
        try program.type("rjk")
        try program.wait("an empty screen") { $0.lines.allSatisfy(\.isEmpty) }
        try folder.set(1, "init", hundredths: 305)
        try program.type("rj")
        try program.wait("a new first row") { $0.row == 1 && $0.cursorLine.hasSuffix("init") }
    }

    @Test("the row of the cursor is shown in a list that is longer than the screen, at any size")
    func scrolling() throws {
        for id in 100..<160 { try folder.set(id, "worker \(id)", hundredths: 1000 - id) }
        let program = try TerminalProgram("processes", [folder.path], rows: 10)
        try program.wait("the first list") { $0.lines[9].hasSuffix("worker 108") }
        try program.type(String(repeating: "j", count: 59))
        try program.wait("the last worker") { $0.row == 9 && $0.cursorLine.hasSuffix("worker 159") }
        program.resize(rows: 5, columns: 60)
        try program.wait("a smaller screen") { $0.row == 4 && $0.cursorLine.hasSuffix("worker 159") }
        program.resize(rows: 90, columns: 100)
        try program.wait("all rows") { $0.row == 60 && $0.lines[66].hasSuffix("web (server)") }
        program.resize(rows: 1, columns: 1)
        try program.type("k")
        program.resize(rows: 3, columns: 70)
        try program.wait("a small screen") { $0.cursorLine.hasSuffix("worker 158") }
    }

    @Test("control and format characters of a name do not reach the terminal")
    func hostileNames() throws {
        try folder.set(50, "a\u{1B}[2Jb\u{9B}c\u{202E}d\u{7}\n\u{2028}é", user: 4_000_002, hundredths: 10)
        try folder.set(51, ") S 1 (" + String(repeating: "\t", count: 300), user: 4_000_002, hundredths: 9)
        let lines = try TerminalProgram("processes", [folder.path], rows: 10).quit().lines
        #expect(
            lines.suffix(3) == [
                "       50       0.1 seconds  a?[2Jb?c?d???é",
                "       51      0.09 seconds  ) S 1 (" + String(repeating: "?", count: 24),
                "",
            ])
    }

    @Test("after any changes, the list is the same as a list that is drawn for the first time")
    func randomChanges() throws {
        var random = SeededGenerator(seed: .random(in: 0 ... .max))
        let seed = random.state
        let program = try TerminalProgram("processes", [folder.path], rows: 60)
        for round in 1...20 {
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                let id = Int.random(in: 1...40, using: &random)
                if folder.ids.contains(id), Bool.random(using: &random) {
                    folder.end(id)
                } else {
                    try folder.set(
                        id, "process \(Int.random(in: 1...3, using: &random))",
                        user: 4_000_000 + Int.random(in: 0...4, using: &random),
                        hundredths: Int.random(in: 0...30, using: &random))
                }
            }
            let lines = try TerminalProgram("processes", [folder.path], rows: 60).quit().lines
            try program.type("jr")
            try program.wait("seed \(seed), round \(round):\n\(lines.joined(separator: "\n"))") { $0.lines == lines }
        }
    }
}

/// SplitMix64.
private struct SeededGenerator: RandomNumberGenerator {
    private(set) var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return bits ^ bits >> 31
    }
}
