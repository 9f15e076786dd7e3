import Glibc
import Unix

/// The programs that the viewer runs: xdg-open(1) and jokesctl(1). Use it only on its loop.
final class ViewerPrograms {
    private let programs: ChildPrograms
    /// The options that let jokesctl use the daemon of the viewer.
    private let controlOptions: [String]

    /// `socket` is the argument of the option `--socket`; nil if it is not given.
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

    func end() { programs.end() }

    /// The jokesctl in the folder of the viewer, else the one in PATH.
    private static var controlProgram: String {
        guard let folder = ownProgram()?.split(separator: "/").dropLast() else { return "jokesctl" }
        let path = folder.map { "/\($0)" }.joined() + "/jokesctl"
        return access(path, X_OK) == 0 ? path : "jokesctl"
    }
}
