import CNcurses
import Glibc
import TextLayout
package import Unix

/// The terminal while the program has it: paints frames, and tells what was pressed and what happened to it.
///
/// Lives on its loop: made, called and ended there. There is one at a time in a process, because ncurses has one. Signals
/// go through the loop while it lives: start it before other threads.
package final class Screen {
    /// What comes from the terminal.
    package enum Event: Hashable, Sendable {
        /// What was typed since the last time, at least one.
        case keys([Key])
        case mouse(MouseEvent)
        /// Text that was pasted, in one line and safe to paint, however many it had; see `PastedText`.
        case pasted(String)
        case resized(Size)
        /// SIGTERM, SIGINT or SIGHUP came, or the terminal went away: the program is to end.
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
    /// Whether it is about to stop.
    private var willSuspend = false
    /// True where the SIGCONT that is about to come is the end of a stop that is dealt with.
    private var hasGoneOn = false

    /// Takes the terminal, which `end` gives back as it was.
    ///
    /// The handler is called on the loop. `type` is what the terminal database calls the terminal, TERM where it is nil.
    /// - Throws: `TerminalError`; then nothing was changed.
    package init(
        loop: EventLoop, input: Int32 = 0, output: Int32 = 1, type: String? = nil, color: ColorChoice = .auto,
        usesMouse: Bool = true, handler: @escaping (Event) -> Void
    ) throws(TerminalError) {
        guard isatty(input) == 1, isatty(output) == 1 else { throw .notATerminal }
        self.loop = loop
        self.input = input
        self.handler = handler
        terminal = try Ncurses(input: input, output: output, type: type, color: color, usesMouse: usesMouse)
        do {
            signals = try SignalWatch([SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, SIGINT, SIGHUP], on: loop) {
                [unowned self] in take($0)
            }
            inputWatch = try loop.watch(input, for: .readable) { [unowned self] in takeInput($0) }
        } catch {
            end()
            throw .system(error)
        }
    }

    /// The terminal's size now.
    package var size: Size {
        terminal.size
    }

    /// Shows a frame; only what differs from the last one is written.
    package func paint(_ frame: Frame) {
        guard frame != shown else { return }
        for row in 0..<size.rows {
            let line = row < frame.lines.count ? frame.lines[row] : Line()
            if let shown, row < shown.lines.count ? shown.lines[row] == line : line == Line() { continue }
            terminal.write(line, row: row)
        }
        terminal.show(cursor: frame.cursor)
        shown = frame
    }

    /// Shows the last frame again, all of it, in case something else wrote on the screen.
    package func repaint() {
        guard let last = shown else { return }
        shown = nil
        terminal.adoptSize()
        paint(last)
    }

    /// Puts a text into the clipboard of whoever sits at the terminal. Nil where that was written: a terminal may be set
    /// up not to let programs do this, and says nothing then.
    package func copy(_ text: String) -> ClipboardRefusal? {
        if let refusal = terminal.clipboardRefusal { return refusal }
        terminal.writeBeside(clipboardCommand(text))
        return nil
    }

    /// Stops the program as ^Z does, with the terminal as it was, at the end of the loop's next turn: what was asked for
    /// before, over a socket as well, is on its way then.
    package func suspend() {
        if willSuspend { return }
        willSuspend = true
        loop.atEndOfTurn { [weak self] in
            self?.loop.atEndOfTurn { self?.stop() }
        }
    }

    private func stop() {
        willSuspend = false
        // It may have ended since.
        if signals == nil { return }
        terminal.leave()
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGTSTP)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        // The whole group, as the terminal does it: a shell waits for all of a job, `make` for its child.
        kill(0, SIGTSTP)
        pthread_sigmask(SIG_BLOCK, &set, nil)
        var pending = sigset_t()
        sigpending(&pending)
        hasGoneOn = sigismember(&pending, SIGCONT) == 1
        // Whoever is to end now, perhaps in the background, is not to touch the terminal again: its signal comes next.
        if ![SIGTERM, SIGINT, SIGHUP].contains(where: { sigismember(&pending, $0) == 1 }) { goOn() }
    }

    /// Gives the terminal back as it was. Does nothing the second time.
    package func end() {
        if let inputWatch { loop.unwatch(inputWatch) }
        inputWatch = nil
        // First: behind the signals' end, another one ends or stops the program.
        terminal.end()
        signals?.end()
        signals = nil
    }

    // MARK: Events

    private func take(_ signal: Int32) {
        switch signal {
        case SIGWINCH: resize()
        case SIGTSTP: suspend()
        case SIGCONT where hasGoneOn: hasGoneOn = false
        case SIGCONT: goOn()
        default: handler(.ended)
        }
    }

    private func takeInput(_ readiness: EventLoop.Readiness) {
        var inputs: [Input] = []
        while let code = terminal.nextCode() { inputs += decoder.take(code) }
        for event in Event.events(of: inputs + decoder.pause()) {
            handler(event)
            // Any of these may have ended the screen.
            if inputWatch == nil { return }
        }
        guard let inputWatch, !readiness.isDisjoint(with: .failed) || isAtEnd else { return }
        loop.unwatch(inputWatch)
        self.inputWatch = nil
        handler(.ended)
    }

    /// Ready to be read with nothing in it, which is how a file ends. In this order: bytes may come in between.
    private var isAtEnd: Bool {
        var entry = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
        var count: Int32 = 0
        return poll(&entry, 1, 0) > 0 && ioctl(input, UInt(FIONREAD), &count) == 0 && count == 0
    }

    private func resize() {
        shown = nil
        terminal.adoptSize()
        handler(.resized(size))
    }

    /// Takes the terminal back after a stop, whatever was done with it meanwhile.
    private func goOn() {
        terminal.enter()
        decoder = InputDecoder()
        repaint()
        handler(.resized(size))
    }
}

extension Screen.Event {
    /// Keys that come one after another are one event.
    fileprivate static func events(of inputs: [Input]) -> [Screen.Event] {
        inputs.reduce(into: []) { events, input in
            switch (input, events.last) {
            case (.key(let key), .keys(let keys)): events[events.count - 1] = .keys(keys + [key])
            case (.key(let key), _): events.append(.keys([key]))
            case (.mouse(let event), _): events.append(.mouse(event))
            case (.pasted(let text), _): events.append(.pasted(text))
            }
        }
    }
}
