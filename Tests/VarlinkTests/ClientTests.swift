import Glibc
import TestSupport
import Testing
import Unix
import Varlink

@Suite struct ClientTests {
    private typealias Text = EchoService.Text
    private typealias Number = EchoService.Number
    private typealias To = EchoService.To

    @Test("replies are decoded into values, and error replies into parameters")
    func calls() throws {
        let service = try EchoService()
        let client = try VarlinkClient(connectingTo: service.address)
        for text in ["", "hello", "\u{0}é\u{7F}\"\\/\u{2028}🙂"] {
            let reply: Text = try client.call("org.example.echo.Echo", Text(text: text))
            // U+0000 is not allowed, because other clients reject such messages.
            #expect(reply.text == text.replacing("\u{0}", with: "\u{FFFD}"))
        }
        do {
            let _: NoParameters = try client.call("org.example.echo.Fail", Text(text: "why"))
            Issue.record("a failure was no error")
        } catch VarlinkError.refused(let reply) {
            #expect(reply.name == "org.example.echo.Failed")
            #expect(try reply.parameters(as: Text.self).text == "why")
            #expect(throws: VarlinkError.self) { try reply.parameters(as: Number.self) }
            #expect(reply.error(as: EchoService.Failure.self, of: "org.example.echo") == .failed(text: "why"))
            #expect(reply.error(as: EchoService.Failure.self, of: "org.example") == nil)
            #expect(reply.error(as: Text.self, of: "org.example.echo") == nil)
        }
        // The connection still works.
        try client.callOneway("org.example.echo.Fail", Text(text: "unheard"))
        let reply: Text = try client.call("org.example.echo.Echo", Text(text: "on"))
        #expect(reply.text == "on")
    }

    @Test("a typed error that JSON does not have is an error of its interface, and an unknown one is not of the type")
    func typedErrors() throws {
        let infinite = ErrorReply(EchoService.Failure.infinite(.infinity), of: "org.example.echo")
        #expect(infinite.description == "org.example.echo.InvalidError")
        let names = ["org.example.echo.Other", "org.example.echo.", "org.example.echo", "org.example.echo.Failed"]
        for name in names {
            #expect(ErrorReply(name).error(as: EchoService.Failure.self, of: "org.example.echo") == nil)
        }
        let extended = ErrorReply("org.example.echo.Failed", ["text": "a", "added": "b"])
        #expect(extended.error(as: EchoService.Failure.self, of: "org.example.echo") == .failed(text: "a"))
    }

    @Test("a late reply, an unexpected reply and a missing reply are different errors")
    func failures() throws {
        let service = try EchoService()
        let client = try VarlinkClient(connectingTo: service.address)
        func failure(_ body: () throws -> Void) -> VarlinkError? {
            #expect(throws: VarlinkError.self) { try body() }
        }
        let wrong = failure { _ = try client.call("org.example.echo.Echo", Text(text: "x"), returning: Number.self) }
        #expect(wrong?.description.hasPrefix("unexpected reply: ") == true)
        let late = failure {
            _ = try client.call(
                "org.example.echo.Hold", Text(text: "x"), returning: Text.self, timeout: .milliseconds(20))
        }
        #expect(late?.description == timedOut)
        let folder = try TemporaryFolder()
        let nobody = failure { _ = try VarlinkClient(connectingTo: folder.path("nobody")) }
        #expect(nobody?.description == "cannot reach \(folder.path("nobody")): no such file or directory")
    }

    @Test("a closed connection and a slow service are different errors")
    func disconnected() throws {
        let service = try EchoService()
        let client = try VarlinkClient(connectingTo: service.address)
        let replies = try client.stream("org.example.echo.Follow", returning: Text.self)
        #expect(try replies.next()?.text == "x")
        service.loop.perform { [service = service.service] in service.stop() }
        do {
            _ = try replies.next()
            Issue.record("a reply from nowhere")
        } catch VarlinkError.disconnected {
        }
    }

    private func isNotReady(_ body: () throws -> Void) -> Bool {
        let error = #expect(throws: VarlinkError.self) { try body() }
        return if case .notReady = error { true } else { false }
    }

    @Test("after a timeout, a call is refused and does not get the reply of the call before")
    func usedAfterTimeout() throws {
        let service = try EchoService()
        let client = try VarlinkClient(connectingTo: service.address)
        let late = #expect(throws: VarlinkError.self) {
            try client.call("org.example.echo.Hold", Text(text: "old"), returning: Text.self, timeout: .milliseconds(1))
        }
        #expect(late?.description == timedOut)
        let other = try VarlinkClient(connectingTo: service.address)
        let _: EchoService.Count = try other.call("org.example.echo.Release")
        #expect(isNotReady { _ = try client.call("org.example.echo.Echo", Text(text: "a"), returning: Text.self) })
        #expect(isNotReady { try client.callOneway("org.example.echo.Note", Text(text: "a")) })
        #expect(isNotReady { _ = try client.stream("org.example.echo.Follow", returning: Text.self) })
    }

    @Test("a call during a stream is refused, and the stream continues")
    func callDuringStream() throws {
        let service = try EchoService()
        let client = try VarlinkClient(connectingTo: service.address)
        let replies = try client.stream("org.example.echo.Count", To(to: 2), returning: Number.self)
        #expect(try replies.next()?.number == 1)
        #expect(isNotReady { _ = try client.call("org.example.echo.Echo", Text(text: "a"), returning: Text.self) })
        #expect(try replies.next()?.number == 2)
        #expect(try client.call("org.example.echo.Echo", Text(text: "a"), returning: Text.self).text == "a")
    }

    @Test(
        "after a streamed reply of another type, the client takes calls only if it was the last reply",
        arguments: [1, 2])
    func unexpectedInStream(_ count: Int) throws {
        let service = try EchoService()
        let client = try VarlinkClient(connectingTo: service.address)
        let replies = try client.stream("org.example.echo.Count", To(to: count), returning: Text.self)
        let error = #expect(throws: VarlinkError.self) { try replies.next() }
        #expect(error?.description.hasPrefix("unexpected reply: ") == true)
        if count == 1 {
            #expect(try replies.next() == nil)
            #expect(try client.call("org.example.echo.Echo", Text(text: "a"), returning: Text.self).text == "a")
        } else {
            #expect(isNotReady { _ = try replies.next() })
            #expect(isNotReady { _ = try client.call("org.example.echo.Echo", Text(text: "a"), returning: Text.self) })
        }
    }

    @Test("the longest and shortest timeouts do not overflow")
    func extremeTimeouts() throws {
        let service = try EchoService()
        let longest = Duration.seconds(Int64.max)
        let client = try VarlinkClient(connectingTo: service.address, timeout: longest)
        let reply: Text = try client.call("org.example.echo.Echo", Text(text: "a"), timeout: longest)
        #expect(reply.text == "a")
        let replies = try client.stream("org.example.echo.Follow", returning: Text.self)
        #expect(try replies.next(timeout: longest)?.text == "x")
        let error = #expect(throws: VarlinkError.self) { try replies.next(timeout: .seconds(Int64.min)) }
        #expect(error?.description == timedOut)
    }
}
