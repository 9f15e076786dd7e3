import Glibc
import Unix

/// The programs that the viewer runs: xdg-open(1), jokesctl(1) and an editor. Use it only on its loop.
final class ViewerPrograms {
    private let programs: ChildPrograms
    /// The options that let jokesctl use the daemon of the viewer.
    private let controlOptions: [String]

    /// Create this object before other threads. `socket` is the argument of the option `--socket`; nil if it is not given.
    init(on loop: EventLoop, socket: String?) throws(SystemError) {
        programs = try ChildPrograms(on: loop)
        controlOptions = socket.map { ["--socket", $0] } ?? []
    }

    /// Opens a URL. Calls `answer` with the reason for a failure.
    func open(_ url: String, answer: @escaping (_ refusal: String?) -> Void) {
        do throws(SystemError) {
            try programs.start(ChildProgram("xdg-open", [url])) { answer($0.status == 0 ? nil : "xdg-open failed") }
        } catch {
            answer(error.code == ENOENT ? "xdg-open is not installed (package xdg-utils)" : "\(error)")
        }
    }

    /// Runs jokesctl. Calls `answer` with its output.
    func control(_ arguments: [String], answer: @escaping (_ output: String, _ hasFailed: Bool) -> Void) {
        do throws(SystemError) {
            let program = ChildProgram(Self.controlProgram, controlOptions + arguments)
            try programs.start(program, collectingOutput: true) { answer($0.output, $0.status != 0) }
        } catch {
            let isMissing = error.code == ENOENT
            answer(isMissing ? "jokesctl is not installed\nInstall it next to jokes-tui." : "\(error)", true)
        }
    }

    /// Runs an editor in the terminal and waits for its end. Returns the new text, or the old one and the reason for a
    /// failure.
    func edit(_ text: String) -> (text: String, refusal: String?) {
        let editor = ["VISUAL", "EDITOR"].lazy.compactMap { environment($0) }.first { !$0.isEmpty }
        do throws(SystemError) {
            let folder = try makeTemporaryFolder("jokes-tui")
            defer {
                // The editor may leave a backup.
                for name in (try? namesInFolder(folder)) ?? [] { unlink("\(folder)/\(name)") }
                rmdir(folder)
            }
            let file = "\(folder)/note.txt"
            try replaceFile(file, with: Array("\(text)\n".utf8), mode: 0o600)
            // As in git, the variable may have options.
            let command = "\(editor ?? "$(command -v vi || echo nano)") \"$@\""
            var program = ChildProgram("/bin/sh", ["-c", command, "sh", file])
            (program.input, program.output, program.errors) = (.descriptor(0), .descriptor(1), .descriptor(2))
            guard let status = waitForEnd(of: try program.start()) else { return (text, "The editor was killed") }
            if status == 127 { return (text, "No editor '\(editor ?? "vi or nano")'") }
            if status != 0 { return (text, "The editor failed with code \(status)") }
            let new = String(decoding: try contentsOfFile(file, limit: 1 << 16), as: UTF8.self)
            return (String(new.reversed().drop(while: \.isNewline).reversed()), nil)
        } catch {
            return (text, "\(error)")
        }
    }

    func end() { programs.end() }

    /// The jokesctl in the folder of the viewer, else the one in PATH.
    private static var controlProgram: String {
        guard let folder = ownProgram()?.split(separator: "/").dropLast() else { return "jokesctl" }
        let path = folder.map { "/\($0)" }.joined() + "/jokesctl"
        return access(path, X_OK) == 0 ? path : "jokesctl"
    }
}
