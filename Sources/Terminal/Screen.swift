import Glibc
import TextLayout
package import Unix

/// The terminal: shows frames and reports input.
///
/// Use it only on its loop. A process can have one at a time, because ncurses has one. Create it before other threads: it
/// blocks signals, which the loop then reads.
package final class Screen {
    package enum Event: Hashable, Sendable {
        /// All input that has come, at least one.
        case input([Input])
        case resized(Size)
        /// SIGTERM, SIGINT or SIGHUP came, or the terminal is gone: end the program.
        case ended
    }

    private let loop: EventLoop
    private let input: Int32
    private let handler: (Event) -> Void
    private let terminal: Ncurses
    private var inputWatch: EventLoop.Watch?
    private var signals: SignalWatch?
    private var shown: Frame?
    private var decoder = InputDecoder()
    /// The end of the time for the rest of a sequence.
    private var pause: TimerQueue.Token?
    private let escapeDelay = Terminal.escapeDelay(environment("ESCDELAY"))
    private var theme: Theme
    /// The background of the terminal, an RGB value, as far as it is known.
    private var background: Int?
    /// True until the terminal has replied.
    private var awaitsReplies = false
    private var willSuspend = false
    /// True if the next SIGCONT belongs to a stop that was handled.
    private var hasResumed = false

    /// Takes the terminal until `end`. `type` is its terminfo name, TERM if nil. The handler is called on the loop.
    ///
    /// - Throws: `TerminalError`; then the terminal is unchanged.
    package init(
        loop: EventLoop, input: Int32 = 0, output: Int32 = 1, type: String? = nil, color: ColorChoice = .auto,
        theme: Theme = .auto, usesMouse: Bool = true, handler: @escaping (Event) -> Void
    ) throws(TerminalError) {
        guard isatty(input) == 1, isatty(output) == 1 else { throw .notATerminal }
        self.loop = loop
        self.input = input
        self.handler = handler
        self.theme = theme
        let isConsole = isLinuxConsole(type ?? environment("TERM") ?? "")
        background = Background.color(colorFGBG: environment("COLORFGBG")) ?? (isConsole ? 0x000000 : nil)
        terminal = try Ncurses(
            input: input, output: output, type: type, theme: color.isOn ? theme.adapted(to: background) : nil,
            usesMouse: usesMouse)
        do {
            signals = try SignalWatch([SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, SIGINT, SIGHUP], on: loop) {
                [unowned self] in handle($0)
            }
            inputWatch = try loop.watch(input, for: .readable) { [unowned self] in readInput($0) }
        } catch {
            end()
            throw .system(error)
        }
        askForBackground()
    }

    package var size: Size { terminal.size }

    /// Shows a frame. Only the changes since the last frame are written.
    package func paint(_ frame: Frame) {
        guard frame != shown else { return }
        for row in 0..<size.rows {
            let line = row < frame.lines.count ? frame.lines[row] : Line()
            if let shown, row < shown.lines.count ? shown.lines[row] == line : line == Line() { continue }
            terminal.write(line, row: row)
        }
        terminal.show(cursor: frame.cursor, isVisible: frame.showsCursor)
        shown = frame
    }

    /// Writes all of the last frame again, in case another program wrote on the screen.
    package func repaint() {
        guard let last = shown else { return }
        shown = nil
        terminal.adoptSize()
        paint(last)
    }

    /// Changes the theme, and paints the last frame with it.
    package func setTheme(_ theme: Theme) {
        self.theme = theme
        terminal.setTheme(theme.adapted(to: background))
        repaint()
        askForBackground()
    }

    /// Asks the terminal for its background, if that matters. The reply comes as input.
    private func askForBackground() {
        if theme.adapts && !awaitsReplies { awaitsReplies = terminal.askForBackground() }
    }

    /// Reads the replies that are due, for at most 100 ms: a shell would take them for typed text.
    private func awaitReplies() {
        // In the background, a read would stop the program.
        let foreground = tcgetpgrp(input)
        if foreground >= 0 && foreground != getpgrp() { return }
        let limit = BootInstant.now.advanced(by: .milliseconds(100))
        while awaitsReplies, BootInstant.now < limit,
            (try? StreamSocket.wait(for: input, events: Int32(POLLIN), until: limit)) == true, !isAtEnd
        {
            while let character = terminal.nextCharacter() { _ = decoder.decode(character) }
            if decoder.replies.contains(.end) { break }
        }
        awaitsReplies = false
    }

    private func handleReplies() {
        while !decoder.replies.isEmpty {
            switch decoder.replies.removeFirst() {
            case .background(let color) where color != background:
                background = color
                terminal.setTheme(theme.adapted(to: color))
                repaint()
            case .background: break
            case .backgroundChanged: askForBackground()
            case .end: awaitsReplies = false
            }
        }
    }

    /// Has the terminal report the mouse, or not.
    package func setMouse(isUsed: Bool) { terminal.setMouse(isUsed: isUsed) }

    /// Writes a text in Base64 to the clipboard, with OSC 52. Nil if that was written; the terminal may still ignore it.
    package func copy(base64 text: String) -> ClipboardRefusal? {
        if let refusal = terminal.clipboardRefusal { return refusal }
        terminal.writeControl("\u{1B}]52;c;\(text)\u{7}")
        return nil
    }

    /// Stops the program as ^Z does, at the end of the loop's next turn: earlier requests to the daemon are sent by then.
    /// With a body, runs another program in the terminal instead: the body starts it, and waits for its end.
    package func suspend(running body: (() -> Void)? = nil) {
        if willSuspend { return }
        willSuspend = true
        loop.atEndOfTurn { [weak self] in
            self?.loop.atEndOfTurn { self?.stop(running: body) }
        }
    }

    private func stop(running body: (() -> Void)?) {
        willSuspend = false
        if signals == nil { return }
        awaitReplies()
        terminal.leave()
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGTSTP)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        // The whole process group, as the terminal does: the shell waits for all of a job.
        if let body { body() } else { kill(0, SIGTSTP) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        // ^C was meant for the other program.
        if body != nil { signal(SIGINT, signal(SIGINT, SIG_IGN)) }
        var pending = sigset_t()
        sigpending(&pending)
        hasResumed = sigismember(&pending, SIGCONT) == 1
        // A program that is about to end, perhaps in the background, must not take the terminal again.
        if ![SIGTERM, SIGINT, SIGHUP].contains(where: { sigismember(&pending, $0) == 1 }) { resume() }
    }

    /// Restores the terminal. The last call.
    package func end() {
        loop.unwatch(&inputWatch)
        loop.cancel(&pause)
        awaitReplies()
        // First: without the signal watch, a signal ends or stops the program.
        terminal.end()
        signals?.end()
        signals = nil
    }

    // MARK: Events

    private func handle(_ signal: Int32) {
        switch signal {
        case SIGWINCH: resize()
        case SIGTSTP: suspend()
        case SIGCONT where hasResumed: hasResumed = false
        case SIGCONT: resume()
        default: handler(.ended)
        }
    }

    private func readInput(_ readiness: EventLoop.Readiness) {
        loop.cancel(&pause)
        var inputs: [Input] = []
        while let character = terminal.nextCharacter() {
            if let input = decoder.decode(character) { inputs.append(input) }
        }
        handleReplies()
        if decoder.isWaiting {
            pause = loop.schedule(at: .now.advanced(by: escapeDelay)) { [unowned self] in
                pause = nil
                if let input = decoder.pause() { handler(.input([input])) }
            }
        }
        if !inputs.isEmpty { handler(.input(inputs)) }
        // The handler may have called `end`.
        guard inputWatch != nil, !readiness.isDisjoint(with: .failed) || isAtEnd else { return }
        loop.unwatch(&inputWatch)
        handler(.ended)
    }

    /// True if the input is readable but has no bytes, or the terminal has hung up. In this order, because bytes may come in
    /// between.
    private var isAtEnd: Bool {
        var entry = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
        var count: Int32 = 0
        return poll(&entry, 1, 0) > 0 && (ioctl(input, UInt(FIONREAD), &count) != 0 || count == 0)
    }

    private func resize() {
        shown = nil
        terminal.adoptSize()
        handler(.resized(size))
    }

    /// Takes the terminal again after a stop.
    private func resume() {
        terminal.enter()
        decoder = InputDecoder()
        repaint()
        askForBackground()
        handler(.resized(size))
    }
}

/// The reason why the terminal cannot be used.
package enum TerminalError: Error, Equatable, CustomStringConvertible {
    /// Input or output is a file or a pipe.
    case notATerminal
    /// The terminal of this name, the value of TERM, cannot move its cursor, or is not in terminfo.
    case unfitTerminal(name: String, isKnown: Bool)
    case system(SystemError)

    package var description: String {
        switch self {
        case .notATerminal:
            "cannot use the terminal: standard input or output is not a terminal"
        case .unfitTerminal(let name, let isKnown):
            "cannot use the terminal: terminal type '\(sanitized(name))' (TERM) "
                + (isKnown ? "cannot move its cursor" : "is not in the terminfo database")
        case .system(let error):
            error.description
        }
    }
}
