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
        switch spawn(url) {
        case .success(let child): children[child] = answer
        case .failure(let error) where error.code == ENOENT: answer("There is no xdg-open here (package xdg-utils):")
        case .failure(let error): answer("\(error)")
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
            answer(status == 0 ? nil : "xdg-open could not open")
        }
    }

    private func spawn(_ url: String) -> Result<Int32, SystemError> {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in [standardInput, standardOutput, standardError] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | newSession)
        let words = [strdup("xdg-open"), strdup(url), nil]
        defer { words.forEach { free($0) } }
        var child: Int32 = 0
        let code = posix_spawnp(&child, "xdg-open", &actions, &attributes, words, environ)
        return code == 0 ? .success(child) : .failure(SystemError("start", "xdg-open", code: code))
    }
}

/// POSIX_SPAWN_SETSID, which glibc declares for GNU sources alone: away from the terminal.
private let newSession: Int16 = 0x80
