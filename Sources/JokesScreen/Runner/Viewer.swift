import JokesClient
import JokesCore
package import Terminal
import TextLayout
import Unix

/// Connects the screen, the model and the daemon, all on one loop. It makes no decisions.
package actor Viewer {
    private let loop: EventLoop
    private var model: Model
    private var screen: Screen?
    private var daemon: DaemonFollower?
    private var opener: LinkOpener?
    private var timers: [Ticking: TimerQueue.Token] = [:]

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private init(loop: EventLoop, settings: Settings) {
        self.loop = loop
        model = Model(
            size: Size(columns: 0, rows: 0), clock: .read(), keys: settings.keys, wrapsRows: settings.wrapsRows)
    }

    /// Shows the viewer until it is quit, on the calling thread. Call it before other threads are started.
    ///
    /// - Throws: `TerminalError`; then the terminal is unchanged.
    package static func run(
        color: ColorChoice, settings: Settings, paths: [String]
    ) throws {
        let loop = try EventLoop()
        let viewer = Viewer(loop: loop, settings: settings)
        try viewer.assumeIsolated { viewer in
            try viewer.begin(color: color, usesMouse: settings.usesMouse)
            viewer.follow(paths)
        }
        loop.run()
    }

    private func begin(color: ColorChoice, usesMouse: Bool) throws(TerminalError) {
        let screen = try Screen(loop: loop, color: color, usesMouse: usesMouse) { [unowned self] event in
            assumeIsolated { $0.take(event) }
        }
        self.screen = screen
        take([.resized(screen.size)])
    }

    private func follow(_ paths: [String]) {
        let daemon = DaemonFollower(paths: paths, loop: loop) { event in
            self.assumeIsolated { $0.take([Message(event)]) }
        }
        daemon.assumeIsolated { $0.start() }
        self.daemon = daemon
    }

    private func take(_ event: Screen.Event) {
        switch event {
        case .input(let inputs): take(inputs.map(Message.init))
        case .resized(let size): take([.resized(size)])
        case .ended: end()
        }
    }

    /// Updates the model by all messages, shows it once, and performs the effects.
    private func take(_ messages: [Message]) {
        guard let screen else { return }
        model.clock = .read()
        let effects = messages.flatMap { update(&model, $0) }
        screen.paint(view(model))
        for effect in effects { perform(effect) }
    }

    private func perform(_ effect: Effect) {
        switch effect {
        case .ask(let request):
            daemon?.assumeIsolated { daemon in
                daemon.perform(request) { message in self.assumeIsolated { $0.take([message]) } }
            }
        case .tick(let ticking, let pause): tick(ticking, after: pause)
        case .stopTicking(let ticking): stopTicking(ticking)
        case .copy(let text): copy(text)
        case .open(let url): open(url)
        case .redraw: screen?.repaint()
        case .suspend: screen?.suspend()
        case .quit: end()
        }
    }

    private func tick(_ ticking: Ticking, after pause: Duration) {
        stopTicking(ticking)
        timers[ticking] = loop.schedule(at: .now.advanced(by: pause)) { [unowned self] in
            assumeIsolated { viewer in
                viewer.timers[ticking] = nil
                viewer.take([.ticked(ticking)])
            }
        }
    }

    private func stopTicking(_ ticking: Ticking) {
        if let timer = timers.removeValue(forKey: ticking) { loop.cancel(timer) }
    }

    private func copy(_ text: String) {
        guard let screen else { return }
        take([.copyAnswered(refusal: screen.copy(text))])
    }

    private func open(_ url: String) {
        do {
            let opener = try opener ?? LinkOpener(on: loop)
            self.opener = opener
            let start = BootInstant.now
            opener.open(url) { [weak self] refusal in
                let time = start.duration(to: .now)
                self?.assumeIsolated { $0.take([.openAnswered(url: url, refusal: refusal, after: time)]) }
            }
        } catch {
            take([.openAnswered(url: url, refusal: "\(error)", after: .zero)])
        }
    }

    private func end() {
        opener?.end()
        opener = nil
        for ticking in timers.keys { stopTicking(ticking) }
        daemon?.assumeIsolated { $0.close() }
        daemon = nil
        screen?.end()
        screen = nil
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
