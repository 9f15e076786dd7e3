import Glibc
import Unix

/// Has the desktop open URLs, by xdg-open(1). Lives on its loop.
///
/// The program is given the URL as its one argument; it has neither the terminal nor its signals, and it is waited for
/// without a thread.
final class LinkOpener {
    private var children: [Int32: (_ refusal: String?) -> Void] = [:]
    private var signals: SignalWatch?

    init(on loop: EventLoop) throws(SystemError) {
        // Where whoever started the viewer ignored it, the kernel would not tell how a child ended.
        signal(SIGCHLD, SIG_DFL)
        signals = try SignalWatch([SIGCHLD], on: loop) { [unowned self] _ in reap() }
    }

    /// Calls `answer` on the loop when it is known what came of it; the reason where it could not be opened.
    func open(_ url: String, answer: @escaping (_ refusal: String?) -> Void) {
        var browser = ChildProgram("xdg-open", [url])
        // Away from the terminal.
        browser.leadsSession = true
        do throws(SystemError) {
            children[try browser.start()] = answer
        } catch {
            answer(error.code == ENOENT ? "xdg-open is not installed (package xdg-utils)" : "\(error)")
        }
    }

    /// Does nothing the second time.
    func end() {
        signals?.end()
        signals = nil
    }

    private func reap() {
        for (child, answer) in children {
            var status: Int32 = 0
            guard waitpid(child, &status, WNOHANG) == child else { continue }
            children[child] = nil
            answer(status == 0 ? nil : "xdg-open failed")
        }
    }
}
