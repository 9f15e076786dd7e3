import Glibc
package import Terminal
package import TestSupport
import Unix

/// A screen on a loop of its own. One at a time, because ncurses has one: whoever comes later waits.
package actor ScreenOwner {
    package nonisolated let events: Mailbox<Screen.Event>
    private let loop: EventLoop
    private let terminal: Int32
    private var screen: Screen?
    private var turn: Turn.Mine?

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private static let ncurses = Turn()

    /// The descriptor of the terminal that it paints on stays its owner's.
    package init(of terminal: Int32) throws {
        events = try Mailbox()
        loop = try EventLoop()
        self.terminal = terminal
        try loop.start(name: "screen test")
    }

    package func begin(
        output: Int32? = nil, type: String = "xterm-256color", color: ColorChoice = .always, usesMouse: Bool = true
    ) async throws {
        let events = events
        let turn = await Self.ncurses.take()
        screen = try Screen(
            loop: loop, input: terminal, output: output ?? terminal, type: type, color: color, usesMouse: usesMouse
        ) { event in
            // Each input by itself: a terminal may send several at once, or not.
            guard case .input(let inputs) = event else { return events.put(event) }
            for input in inputs { events.put(.input([input])) }
        }
        self.turn = turn
    }

    package func paint(_ frame: Frame) {
        screen?.paint(frame)
    }

    package func copy(_ text: String) throws -> ClipboardRefusal? {
        guard let screen else { throw BrokenLaw("no screen has begun") }
        return screen.copy(text)
    }

    package func ring() throws {
        try write("\u{7}")
    }

    /// Writes to the terminal beside the screen, behind what the screen has written.
    package func write(_ text: String) throws {
        try writeFully(text, to: terminal)
    }

    /// To the loop's thread alone: the other tests of the process are not to know.
    package func signal(_ number: Int32) {
        pthread_kill(pthread_self(), number)
    }

    /// Ends the screen; another one may begin.
    package func leave() {
        screen?.end()
        screen = nil
        turn = nil
    }

    package func end() {
        leave()
        loop.stop()
    }
}
