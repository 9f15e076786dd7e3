import Glibc
import Unix

/// Opens URLs with xdg-open(1), without the terminal and its signals. Use it only on its loop.
final class LinkOpener {
    private var children: [Int32: (_ refusal: String?) -> Void] = [:]
    private var signals: SignalWatch?

    init(on loop: EventLoop) throws(SystemError) {
        // With an ignored SIGCHLD, the kernel would not report how a child ended.
        signal(SIGCHLD, SIG_DFL)
        signals = try SignalWatch([SIGCHLD], on: loop) { [unowned self] _ in reap() }
    }

    /// Calls `answer` on the loop, with the reason for a failure.
    func open(_ url: String, answer: @escaping (_ refusal: String?) -> Void) {
        var browser = ChildProgram("xdg-open", [url])
        browser.leadsSession = true
        do throws(SystemError) {
            children[try browser.start()] = answer
        } catch {
            answer(error.code == ENOENT ? "xdg-open is not installed (package xdg-utils)" : "\(error)")
        }
    }

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
