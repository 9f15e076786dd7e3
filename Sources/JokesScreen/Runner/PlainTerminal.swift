import CommandLineTools
import Glibc
package import Terminal
import TextLayout
import Unix

/// Standard input and output as lines of text, for screen readers and for terminals without cursor movement.
///
/// Use it only on its loop.
final class PlainTerminal {
    private let loop: EventLoop
    private let handler: (Screen.Event) -> Void
    private var watch: EventLoop.Watch?
    private var received: [UInt8] = []

    /// Calls the handler with the keys of each line, and at the end of the input.
    ///
    /// - Throws: `SystemError`, for example if the input is a regular file.
    init(on loop: EventLoop, handler: @escaping (Screen.Event) -> Void) throws(SystemError) {
        self.loop = loop
        self.handler = handler
        watch = try loop.watch(0, for: .readable) { [unowned self] _ in readLines() }
    }

    /// Writes sanitized lines. Ends if nobody reads them.
    func write(_ lines: [String]) {
        if lines.isEmpty { return }
        do {
            try writeFully(lines.map { sanitizedLines($0) + "\n" }.joined(), to: standardOutput)
        } catch {
            handler(.ended)
        }
    }

    func end() {
        if let watch { loop.unwatch(watch) }
        watch = nil
    }

    private func readLines() {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(0, &bytes, bytes.count)
        if count < 0 && (errno == EINTR || errno == EAGAIN) { return }
        guard count > 0 else { return handler(.ended) }
        received += bytes.prefix(count)
        while watch != nil, let end = received.firstIndex(of: UInt8(ascii: "\n")) {
            let line = String(decoding: received[..<end], as: UTF8.self)
            received.removeSubrange(...end)
            handler(.input(keys(ofLine: line).map { .key($0) }))
        }
        // No key or query is longer.
        if received.count > 1 << 16 { received = [] }
    }
}

/// Returns the keys of a line: the key of a name such as `escape`, else each character; `enter` for an empty line.
package func keys(ofLine line: String) -> [Key] {
    if line.isEmpty { return [.enter] }
    if line.count > 1, let key = Key(named: line) { return [key] }
    return line.map { .character($0) }
}
