import Glibc
import JSON5
import JokesClient
import JokesCore
import Terminal
import TextLayout
import Unix

/// Connects the screen, the model and the daemon, all on one loop. It makes no decisions.
actor Viewer {
    private let loop: EventLoop
    private var model: Model
    /// The display: one of these, until the end.
    private var screen: Screen?
    private var terminal: PlainTerminal?
    private var plainView = PlainView()
    private var daemon: DaemonFollower?
    private let programs: ViewerPrograms
    private var settingsWatch: FileWatch?
    /// The state of the earlier run, until it changes.
    private var saved = ViewerState.load()
    /// Ends the second in which a joke is read.
    private var reading: TimerQueue.Token?
    /// Ends the time in which nothing is painted while the viewer connects, because the jokes usually come within
    /// milliseconds. Nil after that time.
    private var firstPaint: TimerQueue.Token?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private init(loop: EventLoop, settings: Settings, socket: String?) throws(SystemError) {
        self.loop = loop
        programs = try ViewerPrograms(on: loop, socket: socket)
        model = Model(size: Size(columns: 0, rows: 0), clock: .read(), keys: settings.keys)
    }

    /// Shows the viewer until it is quit, on the calling thread. Call it before other threads are started. If `isPlain` is
    /// true, the viewer reads and writes lines of text.
    ///
    /// `environment` leads to the file of the settings, which is read again after each change.
    ///
    /// `paths` are the possible sockets of the daemon, and `socket` is the argument of the option `--socket`.
    ///
    /// - Throws: `TerminalError`; then the terminal is unchanged.
    static func run(
        color: ColorChoice, isPlain: Bool, settings: Settings, environment: [String: String], paths: [String],
        socket: String?
    ) throws {
        let loop = try EventLoop()
        let viewer = try Viewer(loop: loop, settings: settings, socket: socket)
        try viewer.assumeIsolated { viewer in
            if isPlain { try viewer.beginPlain() } else { try viewer.beginScreen(color: color, settings) }
            viewer.connect(to: paths)
            for effect in viewer.model.restore(viewer.saved, wrap: settings.wrapsRows) { viewer.perform(effect) }
            viewer.watchSettings(environment)
        }
        loop.run()
    }

    private func beginPlain() throws {
        let terminal = try PlainTerminal(on: loop) { [unowned self] line in assumeIsolated { $0.handle(line: line) } }
        self.terminal = terminal
        terminal.write(plainGreeting(model.keys))
        // Each page has the whole width: a screen of this height has no popups.
        handle([.resized(Size(columns: 80, rows: 13))])
    }

    private func beginScreen(color: ColorChoice, _ settings: Settings) throws(TerminalError) {
        let screen = try Screen(
            loop: loop, color: color, theme: settings.theme, usesMouse: settings.usesMouse
        ) { [unowned self] event in
            assumeIsolated { $0.handle(event) }
        }
        self.screen = screen
        firstPaint = loop.schedule(at: .now.advanced(by: .milliseconds(100))) { [unowned self] in
            assumeIsolated { viewer in
                viewer.firstPaint = nil
                viewer.handle([])
            }
        }
        handle([.resized(screen.size)])
    }

    private func connect(to paths: [String]) {
        let daemon = DaemonFollower(paths: paths, loop: loop) { event in
            self.assumeIsolated { $0.handle([Message(event)]) }
        }
        daemon.assumeIsolated { $0.start() }
        self.daemon = daemon
    }

    private func watchSettings(_ environment: [String: String]) {
        guard let file = Settings.file(environment) else { return }
        do throws(SystemError) {
            settingsWatch = try FileWatch(file, on: loop) { [unowned self] in
                let result = Result { () throws(ConfigurationError) in try Settings.load(environment) }
                assumeIsolated { $0.handle([.settingsRead(result)]) }
            }
        } catch {
            // Without the folder, the settings are the default ones until the next start.
            let failure = ConfigurationError.unreadable(error)
            if !failure.isMissingFile { handle([.settingsRead(.failure(failure))]) }
        }
    }

    private func handle(_ event: Screen.Event) {
        switch event {
        case .input(let inputs): handle(inputs.map { .input($0) })
        case .resized(let size): handle([.resized(size)])
        case .ended: end()
        }
    }

    /// Handles a line of text, which ends the prompt that it was typed into. Nil is the end of the input.
    private func handle(line: String?) {
        guard let line, let terminal else { return end() }
        let wasTyping = model.isTyping
        let keys = keys(ofLine: line, isText: wasTyping)
        if let words = model.refusal(ofLine: line, keys) { return terminal.write([words]) }
        terminal.isSilent = true
        handle(keys.map { .input(.key($0)) })
        if model.isTyping, wasTyping || line.count > 1 { handle([.input(.key(.enter))]) }
        if terminal.isSilent && self.terminal != nil && model.waiting == nil { terminal.write(["Nothing new."]) }
    }

    /// Updates the model by all messages, shows it once, and performs the effects.
    private func handle(_ messages: [Message]) {
        if screen == nil && terminal == nil { return }
        let old = model
        model.clock = .read()
        let effects = messages.flatMap { update(&model, $0) }
        if let screen { paint(on: screen) }
        if let terminal {
            let byKey = messages.contains { if case .input = $0 { true } else { false } }
            terminal.write(plainView.lines(of: model, since: old, byKey: byKey))
        }
        if !model.isReading { loop.cancel(&reading) }
        for effect in effects { perform(effect) }
    }

    private func paint(on screen: Screen) {
        if firstPaint != nil && model.link == .connecting { return }
        loop.cancel(&firstPaint)
        screen.paint(view(model))
    }

    private func perform(_ effect: Effect) {
        switch effect {
        case .send(let request):
            daemon?.assumeIsolated { daemon in
                daemon.perform(request) { message in self.assumeIsolated { $0.handle([message]) } }
            }
        case .startReading: startReading()
        case .copy(let text):
            let refusal: ClipboardRefusal? =
                if let screen { screen.copy(base64: base64(Array(text.utf8))) } else { .otherKind }
            handle([.copyAnswered(refusal: refusal)])
        case .open(let url): open(url)
        case .applySettings(let settings):
            screen?.setMouse(isUsed: settings.usesMouse)
            screen?.setTheme(settings.theme)
        case .editNote:
            let edit = { [unowned self] in assumeIsolated { $0.editNote() } }
            if let screen { screen.suspend(running: edit) } else { edit() }
        case .runJokesctl(let arguments):
            programs.control(arguments) { [weak self] output, hasFailed in
                self?.assumeIsolated { $0.handle([.jokesctlAnswered(output, hasFailed: hasFailed)]) }
            }
        case .redraw:
            screen?.repaint()
            terminal?.write(plainLinesAgain(of: model))
        case .suspend: if let screen { screen.suspend() } else { raise(SIGSTOP) }
        case .quit: end()
        }
    }

    private func startReading() {
        loop.cancel(&reading)
        reading = loop.schedule(at: .now.advanced(by: .seconds(1))) { [unowned self] in
            assumeIsolated { viewer in
                viewer.reading = nil
                viewer.handle([.readingEnded])
            }
        }
    }

    private func open(_ url: String) {
        let start = BootInstant.now
        programs.open(url) { [weak self] refusal in
            let time = start.duration(to: .now)
            self?.assumeIsolated { $0.handle([.openAnswered(url: url, refusal: refusal, after: time)]) }
        }
    }

    /// Waits for the end of the editor. The answer comes when the screen is back.
    private func editNote() {
        guard let old = model.noteEdit?.text else { return }
        let (text, refusal) = programs.edit(old)
        loop.atEndOfTurn { [weak self] in
            self?.assumeIsolated { $0.handle([.noteEdited(text, refusal: refusal)]) }
        }
    }

    private func end() {
        if model.snapshot != nil, model.state != saved { model.state.save() }
        programs.end()
        daemon?.assumeIsolated { $0.close() }
        daemon = nil
        screen?.end()
        terminal?.end()
        (screen, terminal) = (nil, nil)
        loop.stop()
    }
}

extension LocalClock {
    /// The current time in the current time zone.
    static func read() -> LocalClock {
        let now = Timestamp(microseconds: wallClockMicroseconds())
        return LocalClock(now: now, offset: localTimeOffset(at: now.microseconds / 1_000_000))
    }
}
