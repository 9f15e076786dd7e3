import Glibc
import Terminal
import TestSupport
import TextLayout
import Unix

/// A pane of tmux in which only the test paints: a real terminal whose content can be read.
final class TmuxPane {
    static let program = "/usr/bin/tmux"
    static var isThere: Bool { access(program, X_OK) == 0 }

    /// The program's end of the terminal.
    let descriptor: Int32
    private let folder: TemporaryFolder

    init(_ size: Size) throws {
        folder = try TemporaryFolder()
        _ = try Self.run(
            folder, ["new-session", "-d", "-x", "\(size.columns)", "-y", "\(size.rows)", "exec sleep infinity"])
        let path = try Self.run(folder, ["display-message", "-p", "#{pane_tty}"]).split(separator: "\n").joined()
        descriptor = try retrying("open", path) { open(path, O_RDWR | O_NOCTTY | O_CLOEXEC) }
    }

    deinit {
        _ = try? Self.run(folder, ["kill-server"])
        close(descriptor)
    }

    private static func run(_ folder: TemporaryFolder, _ arguments: [String]) throws -> String {
        let result = try ChildProcess.run(
            program, ["-S", folder.path("tmux"), "-f", "/dev/null"] + arguments,
            environment: ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": folder.path])
        guard result.ending == .exited(0) else { throw BrokenProperty("tmux \(arguments): \(result.errors)") }
        return result.output
    }

    private func run(_ arguments: String...) throws -> String {
        try Self.run(folder, arguments)
    }

    /// Resizes the terminal, and waits for the new size.
    func resize(to size: Size) async throws {
        _ = try run("resize-window", "-x", "\(size.columns)", "-y", "\(size.rows)")
        try await waitUntil("the pane had \(size)") {
            var window = winsize()
            try retrying("ask for a size") { ioctl(descriptor, UInt(TIOCGWINSZ), &window) }
            return Size(columns: Int(window.ws_col), rows: Int(window.ws_row)) == size
        }
    }

    /// The content after everything before this title was processed.
    func snapshot(behindTitle title: String) async throws -> (text: String, rows: [StyledRow]) {
        try await waitUntil("tmux had read all") { try run("display-message", "-p", "#{pane_title}") == title + "\n" }
        return (try run("capture-pane", "-p"), styledRows(try run("capture-pane", "-e", "-p")))
    }
}

/// A row of a terminal: each character, with the style parameters since the last `0`.
struct StyledRow: Hashable, CustomStringConvertible {
    var cells: [[String]]

    /// The characters, with the style before each run of one style.
    var description: String {
        zip([[]] + cells.map { $0.dropFirst() }, cells).map { before, cell in
            (before == cell.dropFirst() ? "" : "<\(cell.dropFirst().joined(separator: " "))>") + cell[0]
        }.joined()
    }
}

/// Rows with their styles, without trailing unstyled spaces.
///
/// A style that is invisible in a space is ignored: terminals differ in it.
private func styledRows(_ text: String) -> [StyledRow] {
    var style: [String: String] = [:]
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
        var cells: [[String]] = []
        var rest = line[...]
        while let character = rest.popFirst() {
            if character == "\u{1B}" {
                let end = rest.firstIndex(of: "m") ?? rest.endIndex
                change(&style, by: rest[..<end].dropFirst())
                rest = rest[end...].dropFirst()
            } else {
                let shown = character == " " ? style.filter { ["4", "7", "background"].contains($0.key) } : style
                cells.append([String(character)] + shown.values.sorted())
            }
        }
        let end = cells.lastIndex { $0 != [" "] }
        return StyledRow(cells: Array(cells.prefix(end.map { $0 + 1 } ?? 0)))
    }
}

/// Applies the parameters of a command that sets styles.
private func change(_ style: inout [String: String], by parameters: Substring) {
    var rest = parameters.split(separator: ";")[...]
    if rest.isEmpty { style = [:] }
    while let parameter = rest.popFirst() {
        switch Int(parameter) ?? 0 {
        case 0: style = [:]
        case 39: style["foreground"] = nil
        case 49: style["background"] = nil
        case 38, 48:
            let color = rest.prefix(rest.first == "5" ? 2 : 4)
            style[parameter == "38" ? "foreground" : "background"] = ([parameter] + color).joined(separator: ";")
            rest = rest.dropFirst(color.count)
        case 30...37, 90...97: style["foreground"] = String(parameter)
        case 40...47, 100...107: style["background"] = String(parameter)
        default: style[String(parameter)] = String(parameter)
        }
    }
}
