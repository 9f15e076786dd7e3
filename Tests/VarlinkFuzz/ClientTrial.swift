import Glibc
import Synchronization
import Unix
import Varlink

/// A client of a service that sends the bytes of a script in pieces.
///
/// The properties: the end of each call is reported once, and no reply follows; then the end of the connection is
/// reported once.
final class ClientTrial {
    private static let calls = 6
    private static let numbers = Atomic(0)

    private let loop: EventLoop
    private var script: Script
    private let listener: Int32
    /// -1 after the service has closed.
    private var service: Int32
    private let received = Received()
    private var connection: VarlinkConnection?
    private var turns = 0

    /// The results of callbacks. `@unchecked Sendable`: a trial has one thread.
    private final class Received: @unchecked Sendable {
        var endings = [Int](repeating: 0, count: ClientTrial.calls)
        var closings = 0
        var complaint: String?

        func end(_ call: Int) {
            if closings > 0 { complaint = "call \(call) ends after the connection" }
            endings[call] += 1
        }
    }

    init(_ script: Script) throws {
        self.script = script
        loop = try EventLoop()
        let number = Self.numbers.add(1, ordering: .relaxed).newValue
        let address = "@jokesd-fuzz-\(getpid())-\(number)"
        let socket = try ListeningSocket(at: SocketAddress(address), mode: 0o600)
        listener = dup(socket.rawValue)
        connection = try VarlinkConnection(to: "unix:\(address)", on: VarlinkLoop(loop), replyLimit: 1024) {
            [received] _ in received.closings += 1
        }
        service = try StreamSocket.accept(from: listener)?.release() ?? -1
    }

    deinit {
        close(listener)
        if service >= 0 { close(service) }
    }

    func run() throws {
        for number in 0..<Self.calls { call(number) }
        loop.atEndOfTurn { self.turn() }
        loop.run()
        try demand(received.complaint == nil, received.complaint ?? "")
        try demand(received.closings == 1, "the end was reported \(received.closings) times")
        try demand(received.endings.allSatisfy { $0 == 1 }, "the calls ended \(received.endings) times")
    }

    private func call(_ number: Int) {
        let method = "org.example.fuzz.Echo"
        if number % 3 == 2 {
            connection?.stream(method, returning: FuzzedService.Text.self) { [received] answer in
                if case .continues = answer {
                    if received.endings[number] > 0 { received.complaint = "a stream goes on after its end" }
                } else {
                    received.end(number)
                }
            }
        } else {
            connection?.call(method, returning: FuzzedService.Text.self) { [received] _ in received.end(number) }
        }
    }

    private func turn() {
        turns += 1
        if service >= 0 && !script.isAtEnd {
            if script.number(below: 4) == 3 { connection?.isPaused.toggle() }
            let bytes = reply()
            // A closed client reads nothing.
            _ = try? bytes.withUnsafeBytes { try StreamSocket.send($0, to: service) }
        } else if service >= 0 {
            close(service)
            service = -1
        } else {
            connection?.isPaused = false
        }
        // The end was reported, or never will be.
        if received.closings > 0 || turns > 2000 {
            connection?.close()
            connection = nil
            return loop.stop()
        }
        loop.atEndOfTurn { self.turn() }
    }

    /// A reply that fits, one that does not, a part of one, or anything.
    private func reply() -> [UInt8] {
        switch script.number(below: 8) {
        case 0: Array(#"{"parameters":{"text":"a"}}"#.utf8) + [0]
        case 1: Array(#"{"parameters":{"text":"a"},"continues":true}"#.utf8) + [0]
        case 2: Array(#"{"error":"org.example.fuzz.Failed","parameters":{"text":"a"}}"#.utf8) + [0]
        case 3: Array("{}\0".utf8)
        case 4: Array(#"{"parameters":{"text":"#.utf8)
        case 5: Array(#""b"}}"#.utf8) + [0]
        case 6: [UInt8](repeating: UInt8(ascii: " "), count: 300)
        default: script.piece(1 + script.number(below: 32))
        }
    }
}
