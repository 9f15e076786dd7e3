import CommandLineTools
import Glibc
import Terminal
import TextLayout
import Unix

/// Standard input and output as lines of text, for screen readers and for terminals without cursor movement.
///
/// Use it only on its loop.
final class PlainTerminal {
    private let loop: EventLoop
    private let handler: (_ line: String?) -> Void
    private var watch: EventLoop.Watch?
    private var received: [UInt8] = []
    private let repertoire = adoptLocale()
    /// True until something is written after it is set.
    var isSilent = false

    /// Calls the handler with each line, and with nil at the end of the input or if the output is closed.
    ///
    /// - Throws: `UsageError` if the input is a file, which epoll does not watch; `SystemError`.
    init(on loop: EventLoop, handler: @escaping (_ line: String?) -> Void) throws {
        self.loop = loop
        self.handler = handler
        do throws(SystemError) {
            watch = try loop.watch(0, for: .readable) { [unowned self] _ in readLines() }
        } catch {
            guard error.code == EPERM else { throw error }
            throw UsageError("standard input is a file, but --plain reads from a terminal or a pipe")
        }
    }

    /// Writes sanitized lines. If the output is closed, calls the handler with nil.
    func write(_ lines: [String]) {
        if lines.isEmpty { return }
        isSilent = false
        do {
            let text = lines.map { sanitizedLines($0) + "\n" }.joined()
            try writeFully(text.map(repertoire.form).joined(), to: standardOutput)
        } catch {
            handler(nil)
        }
    }

    func end() { loop.unwatch(&watch) }

    private func readLines() {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(0, &bytes, bytes.count)
        if count < 0 && (errno == EINTR || errno == EAGAIN) { return }
        guard count > 0 else { return handler(nil) }
        received += bytes.prefix(count)
        while watch != nil, let end = received.firstIndex(of: UInt8(ascii: "\n")) {
            let line = String(decoding: received[..<end], as: UTF8.self)
            received.removeSubrange(...end)
            handler(line)
        }
        // No key or query is longer.
        if received.count > 1 << 16 { received = [] }
    }
}

/// Returns the keys of a line: `enter` for an empty line, the key of a name such as `escape`, else each character. In a
/// line of text for a prompt, `escape` is the only name.
func keys(ofLine line: String, isText: Bool) -> [Key] {
    if line.isEmpty { return [.enter] }
    if line.count > 1, let key = Key(named: line), !isText || key == .escape { return [key] }
    return line.map { .character($0) }
}
