import Glibc
package import Terminal
package import TestSupport
import Unix

/// A screen on its own loop. Screens wait for each other, because ncurses supports only one.
package actor ScreenOwner {
    package nonisolated let events: Mailbox<Screen.Event>
    private let loop: EventLoop
    private let terminal: Int32
    private var screen: Screen?
    private var lockHolder: AsyncLock.Holder?

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private static let ncursesLock = AsyncLock()

    /// The caller keeps ownership of the descriptor.
    package init(of terminal: Int32) throws {
        events = try Mailbox()
        loop = try EventLoop()
        self.terminal = terminal
        try loop.start(name: "screen test")
    }

    package func begin(
        output: Int32? = nil, type: String = "xterm-256color", color: ColorChoice = .always,
        theme: Theme = .auto, usesMouse: Bool = true
    ) async throws {
        let events = events
        let lockHolder = await Self.ncursesLock.acquire()
        screen = try Screen(
            loop: loop, input: terminal, output: output ?? terminal, type: type, color: color, theme: theme,
            usesMouse: usesMouse
        ) { event in
            // Inputs are reported one by one, because a terminal may send several at once or not.
            guard case .input(let inputs) = event else { return events.put(event) }
            for input in inputs { events.put(.input([input])) }
        }
        self.lockHolder = lockHolder
    }

    package func paint(_ frame: Frame) {
        screen?.paint(frame)
    }

    package func setTheme(_ theme: Theme) { screen?.setTheme(theme) }

    package func setMouse(isUsed: Bool) { screen?.setMouse(isUsed: isUsed) }

    package func copy(base64 text: String) throws -> ClipboardRefusal? {
        guard let screen else { throw BrokenProperty("the screen has not begun") }
        return screen.copy(base64: text)
    }

    package func ring() throws {
        try write("\u{7}")
    }

    /// Writes to the terminal directly, after the output of the screen.
    package func write(_ text: String) throws {
        try writeFully(text, to: terminal)
    }

    /// Sends a signal only to the loop's thread, so that other tests of the process do not get it.
    package func signal(_ number: Int32) {
        pthread_kill(pthread_self(), number)
    }

    /// Ends the screen, so that another one can begin.
    package func leave() {
        screen?.end()
        screen = nil
        lockHolder = nil
    }

    package func end() {
        leave()
        loop.stop()
    }
}
