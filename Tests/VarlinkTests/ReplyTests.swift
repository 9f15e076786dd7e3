import TestSupport
import Testing
import Unix
import Varlink

/// Replies that a service must not send, and the next call. `|` is the NUL that ends a message.
@Suite struct ReplyTests {
    private typealias Text = EchoService.Text

    /// A service at a socket, which the test plays.
    private final class Service {
        let folder: TemporaryFolder
        let listener: ListeningSocket
        var address: String { folder.path("socket") }

        init() throws {
            let folder = try TemporaryFolder()
            self.folder = folder
            listener = try ListeningSocket(at: SocketAddress(folder.path("socket")), mode: 0o600)
        }

        /// Returns the connection of the client that has connected.
        func accept() throws -> RawClient {
            guard let connection = try StreamSocket.accept(from: listener.rawValue) else {
                throw DeadlinePassed("a client connected")
            }
            return RawClient(owning: connection.release())
        }
    }

    private static let next = #"{"parameters":{"text":"next"}}|"#
    private static let replies = [
        (#"{"continues":1}"#, "member 'continues' is not a boolean"),
        (#"{"continues":"true","parameters":{"text":"a"}}"#, "member 'continues' is not a boolean"),
        (#"{"error":5}"#, "member 'error' is not a string"),
        (#"{"parameters":[1]}"#, "member 'parameters' is not an object"),
        (#"{"parameters":"a"}"#, "member 'parameters' is not an object"),
        (#"{"continues":true,"parameters":{"text":"a"}}"#, "an unrequested series of replies"),
        (#"{"continues":false,"continues":true,"parameters":{"text":"a"}}"#, "duplicate member 'continues'"),
        (#"{"parameters":{"text":"a"},"p\u0061rameters":{"text":"b"}}"#, "duplicate member 'parameters'"),
        (#"{"error":null,"error":"a.B"}"#, "duplicate member 'error'"),
    ]

    @Test("after a malformed reply, a waiting client takes no other call", arguments: replies)
    func waiting(_ reply: String, _ reason: String) throws {
        let service = try Service()
        let client = try VarlinkClient(connectingTo: service.address)
        let connection = try service.accept()
        try connection.send(reply + "|" + Self.next)
        let first = #expect(throws: VarlinkError.self) { try client.call("a.B", returning: Text.self) }
        #expect(first?.description == "invalid Varlink message: \(reason)")
        let second = #expect(throws: VarlinkError.self) { try client.call("a.B", returning: Text.self) }
        #expect(second?.description.hasPrefix("cannot use the connection: ") == true)
        withExtendedLifetime(connection) {}
    }

    @Test("after a malformed reply, a connection ends, and the next call fails", arguments: replies)
    func onLoop(_ reply: String, _ reason: String) throws {
        let failures = try onLoop(replies: reply + "|" + Self.next, calls: 2)
        #expect(failures == Array(repeating: "invalid Varlink message: \(reason)", count: 3))
    }

    @Test("null members are absent, and an error is the last reply")
    func accepted() throws {
        let service = try Service()
        let client = try VarlinkClient(connectingTo: service.address)
        let connection = try service.accept()
        try connection.send(#"{"error":null,"continues":null,"parameters":{"text":"a"}}|"#)
        #expect(try client.call("a.B", returning: Text.self).text == "a")
        try connection.send(#"{"error":"a.C","continues":true,"parameters":null}|"#)
        expectRefusal("a.C") { _ = try client.call("a.B", returning: Text.self) }
        try connection.send(Self.next)
        #expect(try client.call("a.B", returning: Text.self).text == "next")
    }

    @Test(
        "a second reply does not reach the next call, even if it is incomplete", arguments: [next, #"{"parameters""#])
    func second(_ leftOver: String) throws {
        let reply = #"{"parameters":{"text":"first"}}|"#
        let service = try Service()
        let client = try VarlinkClient(connectingTo: service.address)
        let connection = try service.accept()
        try connection.send(reply + leftOver)
        #expect(try client.call("a.B", returning: Text.self).text == "first")
        let error = #expect(throws: VarlinkError.self) { try client.call("a.B", returning: Text.self) }
        #expect(error?.description == "invalid Varlink message: a reply arrived without a call")
        withExtendedLifetime(connection) {}

        let answers = try onLoop(replies: reply + leftOver, calls: 1, callsAgain: true)
        let failure = "invalid Varlink message: a reply arrived without a call"
        #expect(answers == ["first", failure, failure])
    }

    /// Returns the results of calls on a loop and the reason for the end of the connection. With `callsAgain`, each
    /// successful call is followed by another one.
    private func onLoop(replies: String, calls: Int, callsAgain: Bool = false) throws -> [String] {
        let service = try Service()
        let loop = try VarlinkLoop()
        let results = try Mailbox<String>()
        let connection = try VarlinkConnection(to: service.address, on: loop) { error in
            results.put(error?.description ?? "closed")
        }
        let server = try service.accept()
        try server.send(replies)
        for _ in 0..<calls {
            connection.call("a.B", returning: Text.self) { result in
                switch result {
                case .success(let reply):
                    results.put(reply.text)
                    guard callsAgain else { return }
                    connection.call("a.B", returning: Text.self) { result in
                        results.put((try? result.get().text) ?? Self.words(result))
                    }
                case .failure(let error): results.put(error.description)
                }
            }
        }
        try loop.start()
        defer { loop.stop() }
        return try withExtendedLifetime(server) {
            try (0..<calls + (callsAgain ? 2 : 1)).map { _ in try results.take() }
        }
    }

    private static func words(_ result: Result<Text, VarlinkError>) -> String {
        if case .failure(let error) = result { error.description } else { "" }
    }
}
