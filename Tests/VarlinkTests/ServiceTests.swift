import Glibc
import TestSupport
import Testing
import Unix
import Varlink

@Suite struct ServiceTests {
    private typealias Text = EchoService.Text

    @Test("a service describes itself and its interfaces")
    func description() throws {
        let service = try EchoService()
        let client = try VarlinkClient(connectingTo: "unix:\(service.address)")
        let info = try client.serviceInformation()
        #expect([info.vendor, info.product, info.version, info.url] == ["tests", "echo", "1", "https://example.org/"])
        #expect(info.interfaces == ["org.varlink.service", "org.example.echo"])
        #expect(try client.interfaceDescription(of: "org.example.echo").text == EchoService.text)
        let standard = try client.interfaceDescription(of: "org.varlink.service")
        #expect(standard.methodNames == ["GetInfo", "GetInterfaceDescription"])
        expectRefusal(#"org.varlink.service.InterfaceNotFound {"interface":"org.x"}"#) {
            _ = try client.interfaceDescription(of: "org.x")
        }
    }

    /// Parameters of `Shapes`, and the name of the wrong one.
    private static let wrong: [(String, String)] = [
        (#"{}"#, "words"),
        (#"{"words":null}"#, "words"),
        (#"{"words":{}}"#, "words"),
        (#"{"words":[1]}"#, "words[0]"),
        (#"{"words":[{"text":"a"},{"text":1}]}"#, "words[1].text"),
        (#"{"words":[{"text":"a","weight":1.0}]}"#, "words[0].weight"),
        (#"{"words":[{"text":"a","weight":1e3}]}"#, "words[0].weight"),
        (#"{"words":[{"text":"a","weight":9223372036854775808}]}"#, "words[0].weight"),
        (#"{"words":[{"text":"a","wait":1}]}"#, "words[0].wait"),
        (#"{"words":[{"weight":1}]}"#, "words[0].text"),
        (#"{"words":[],"tone":"middle"}"#, "tone"),
        (#"{"words":[],"tone":1}"#, "tone"),
        (#"{"words":[],"ratio":"1"}"#, "ratio"),
        (#"{"words":[],"ratio":1e999}"#, "ratio"),
        (#"{"words":[],"flags":{"a":true,"b":0}}"#, "flags[b]"),
        (#"{"words":[],"flags":[]}"#, "flags"),
        (#"{"words":[],"word":{"text":true}}"#, "word.text"),
        (#"{"words":[],"words":[]}"#, "words"),
        (#"{"words":[],"w\u00f6rds":[]}"#, "wörds"),
    ]

    @Test("the error names the wrong parameter", arguments: wrong)
    func invalidParameter(_ parameters: String, _ name: String) throws {
        try expectInvalidParameter(name, of: "Shapes", parameters)
    }

    private func expectInvalidParameter(_ name: String, of method: String, _ parameters: String) throws {
        let service = try EchoService()
        let client = try RawClient(service.address)
        try client.send(#"{"method":"org.example.echo.\#(method)","parameters":\#(parameters)}|"#)
        let expected = #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"\#(name)"}}"#
        #expect(try client.receive() == expected)
    }

    /// Parameters of `Values` with a duplicate key, and its path.
    private static let duplicates: [(String, String)] = [
        (#"{"numbers":{"a":1,"a":2}}"#, "numbers[a]"),
        (#"{"numbers":{"a":null,"\u0061":2}}"#, "numbers[a]"),
        (#"{"numbers":{\#((0..<41).map { #""k\#($0)":1,"# }.joined())"k0":2}}"#, "numbers[k0]"),
        (#"{"fields":{"a":{"b":[{"c":1,"c":1}]}}}"#, "fields[a][b][0][c]"),
        (#"{"fields":{\#((0..<41).map { #""k\#($0)":1,"# }.joined())"k40":2}}"#, "fields[k40]"),
        (#"{"fields":null,"fields":{}}"#, "fields"),
    ]

    @Test("a duplicate key in a map or an object is refused", arguments: duplicates)
    func duplicateKey(_ parameters: String, _ name: String) throws {
        try expectInvalidParameter(name, of: "Values", parameters)
    }

    @Test("a map of 30,000 keys is checked in linear time")
    func manyKeys() throws {
        // In quadratic time, this would take minutes.
        let service = try EchoService()
        let client = try VarlinkClient(connectingTo: service.address)
        let numbers = Dictionary(uniqueKeysWithValues: (0..<30_000).map { ("k\($0)", Int?.some($0)) })
        let reply: EchoService.Count = try client.call("org.example.echo.Values", EchoService.Values(numbers: numbers))
        #expect(reply.count == numbers.count)
    }

    @Test("any JSON value keeps its type and its value on the way to a service and back")
    func anyJSON() throws {
        let service = try EchoService()
        let client = try VarlinkClient(connectingTo: service.address)
        try checkProperty("an object comes back", cases: 500, maxSize: 4) { random, size in
            (0..<4).map { _ in AnyJSON.random(&random, depth: size) }
        } property: { values in
            let fields = Dictionary(uniqueKeysWithValues: values.enumerated().map { ("\($0)é\"", $1) })
            let sent = EchoService.Fields(fields: fields)
            let reply: EchoService.Fields = try client.call("org.example.echo.Fields", sent)
            try verify(reply == sent, "\(reply)")
        }
    }

    @Test("any is any value without duplicate keys, and null counts as absent")
    func anyValue() throws {
        // In an interface of its own, because the Python client does not know the type.
        let text = "interface org.example.any\nmethod Drop(value: any, list: ?[]any) -> ()"
        let service = try EchoService(and: [VarlinkInterface(text, methods: [.answer("Drop") { NoParameters() }])])
        let client = try RawClient(service.address)
        func reply(to parameters: String) throws -> String? {
            try client.send(#"{"method":"org.example.any.Drop","parameters":\#(parameters)}|"#)
            return try client.receive()
        }
        for value in ["1", #""a""#, "true", "[null]", #"{"a":null}"#] {
            #expect(try reply(to: #"{"value":\#(value),"list":[null,\#(value)]}"#) == #"{"parameters":{}}"#)
        }
        let wrong = [
            (#"{"value":null}"#, "value"), (#"{"value":[{"a":1,"a":2}]}"#, "value[0][a]"),
            (#"{"value":1,"list":[1,{"a":1,"a":2}]}"#, "list[1][a]"),
        ]
        for (parameters, name) in wrong {
            #expect(
                try reply(to: parameters)?.contains(#"InvalidParameter","parameters":{"parameter":"\#(name)"}"#) == true
            )
        }
    }

    @Test("a null in a map of optional values is one of its values")
    func nullInMap() throws {
        let service = try EchoService()
        let client = try VarlinkClient(connectingTo: service.address)
        let values = EchoService.Values(numbers: ["a": nil, "b": 1])
        #expect(try client.call("org.example.echo.Values", values, returning: EchoService.Count.self).count == 2)
    }

    @Test("support for several replies that only the code declares is that of the method")
    func moreInCode() throws {
        let service = try EchoService()
        let client = try RawClient(service.address)
        try client.send(#"{"method":"org.example.echo.Double","parameters":{"to":4}}|"#)
        #expect(try client.receive() == #"{"error":"org.varlink.service.ExpectedMore","parameters":{}}"#)
        try client.send(#"{"method":"org.example.echo.Double","more":true,"parameters":{"to":4}}|"#)
        #expect(try client.receive() == #"{"parameters":{"number":4},"continues":true}"#)
        #expect(try client.receive() == #"{"parameters":{"number":8}}"#)
    }

    @Test("a waiting call delays only later calls of its client")
    func laterReplies() throws {
        let service = try EchoService()
        let waiting = try RawClient(service.address)
        let hold = #"{"method":"org.example.echo.Hold","parameters":{"text":"held"}}|"#
        let echo = #"{"method":"org.example.echo.Echo","parameters":{"text":"next"}}|"#
        try waiting.send(hold + echo)
        let other = try VarlinkClient(connectingTo: service.address)
        var released = 0
        let deadline = Deadline()
        // The other client is served while the call is held, in any order.
        while released == 0 && !deadline.isPast {
            released = try other.call("org.example.echo.Release", returning: EchoService.Count.self).count
        }
        #expect(released == 1)
        #expect(try waiting.receive() == #"{"parameters":{"text":"held"}}"#)
        #expect(try waiting.receive() == #"{"parameters":{"text":"next"}}"#)
    }

    @Test("the size of a call is that of its message, with white space")
    func messageBytes() async throws {
        let service = try EchoService()
        let client = try RawClient(service.address)
        let hold = #"{  "method":"org.example.echo.Hold", "parameters":{"text":"held"  }}"#
        try client.send(hold + "|")
        let state = service.state
        try await waitUntil("the call is held") { await state.heldCount == 1 }
        #expect(await state.heldMessageBytes == [hold.utf8.count])
    }

    @Test("an immediate reply is sent before the rest of the turn, and the next call follows the turn")
    func replyAtOnce() async throws {
        let service = try EchoService()
        let client = try RawClient(service.address)
        let hold = #"{"method":"org.example.echo.Hold","parameters":{"text":"held"}}|"#
        let note = #"{"method":"org.example.echo.Note","parameters":{"text":"next call"}}|"#
        try client.send(hold + note)
        let state = service.state
        try await waitUntil("the call is held") { await state.heldCount == 1 }
        let received = try Gate()
        let wasReceived = try Mailbox<Bool>()
        service.loop.perform {
            state.assumeIsolated { state in
                state.releaseAtOnce {
                    wasReceived.put((try? waitUntil(received.descriptor)) != nil)
                    state.note("rest of the turn")
                }
            }
        }
        #expect(try client.receive() == #"{"parameters":{"text":"held"}}"#)
        received.open()
        #expect(try client.receive() == #"{"parameters":{}}"#)
        #expect(try wasReceived.take())
        #expect(await state.notes == ["rest of the turn", "next call"])
    }

    @Test("an unexpected error of a handler is explained by the service, and logged")
    func handlerFails() throws {
        let service = try EchoService()
        let client = try RawClient(service.address)
        try client.send(#"{"method":"org.example.echo.Forget"}|"#)
        let text = "the call was dropped without an answer"
        #expect(try client.receive() == #"{"error":"org.example.echo.Failed","parameters":{"text":"\#(text)"}}"#)
        guard case .connected(let peer) = try service.events.take() else {
            Issue.record("nobody connected")
            return
        }
        #expect(peer.pid == getpid() && peer.uid == getuid() && peer.gid == getgid())
        guard case .failed(peer, "org.example.echo.Forget", text) = try service.events.take() else {
            Issue.record("nothing failed")
            return
        }
    }

    @Test("if a client disconnects, its calls are dropped, except oneway calls")
    func goneClient() async throws {
        let service = try EchoService()
        let client = try RawClient(service.address)
        // The first call is held, so the others are handled after the client has disconnected.
        try client.send(#"{"method":"org.example.echo.Hold","parameters":{"text":"x"}}|"#)
        try await waitUntil("the call is held") { await service.state.heldCount == 1 }
        for number in 0..<100 {
            let method = number.isMultiple(of: 3) ? "Costly" : "Note"
            let oneway = number.isMultiple(of: 2) ? #","oneway":true"# : ""
            try client.send(
                #"{"method":"org.example.echo.\#(method)","parameters":{"text":"\#(number)"}\#(oneway)}|"#)
        }
        client.close()
        try await waitUntil("the connection was forgotten") { await service.connectionCount() == 0 }
        #expect(await service.state.notes == stride(from: 0, to: 100, by: 2).map { "\($0)" })
    }

    @Test("clients take turns with one call each, and costly calls are last")
    func turns() async throws {
        var limits = ServiceLimits()
        limits.turnTime = .seconds(60)
        let service = try EchoService(limits: limits)
        let clients = try (0..<3).map { _ in try RawClient(service.address) }
        for client in clients {
            try client.send(#"{"method":"org.example.echo.Nothing"}|"#)
            #expect(try client.receive() == #"{"parameters":{}}"#)
        }
        let gate = try Gate()
        let isWaiting = try Mailbox<Void>()
        service.loop.perform {
            isWaiting.put(())
            try? waitUntil(gate.descriptor)
        }
        try isWaiting.take("the loop waits")
        // All of these calls are waiting at once.
        try clients[0].send(Self.note("costly", "Costly"))
        try clients[1].send(Self.note("first") + Self.note("second") + Self.note("third"))
        try clients[2].send(Self.note("other"))
        gate.open()
        for (client, count) in zip(clients, [1, 3, 1]) {
            for _ in 0..<count { #expect(try client.receive() == #"{"parameters":{}}"#) }
        }
        let notes = await service.state.notes
        let order = ["other", "second", "costly", "first"].map { notes.firstIndex(of: $0) ?? -1 }
        #expect(order[0] < order[1] && order[2] > order[0] && order[2] > order[3], "\(notes)")
    }

    @Test("a new client gets its reply while others have many calls left")
    func newClient() async throws {
        var limits = ServiceLimits()
        limits.turnTime = .zero
        let service = try EchoService(limits: limits)
        let gate = try Gate()
        let isWaiting = try Mailbox<Void>()
        await service.state.interruptCostlyCall {
            isWaiting.put(())
            try? waitUntil(gate.descriptor)
        }
        let clients = try (0..<3).map { _ in try RawClient(service.address) }
        let calls = String(repeating: Self.note("costly", "Costly"), count: 10)
        for client in clients { try client.send(calls) }
        try isWaiting.take("the first call is answered")
        let new = try RawClient(service.address)
        try new.send(Self.note("new"))
        gate.open()
        #expect(try new.receive() == #"{"parameters":{}}"#)
        for client in clients {
            for _ in 0..<10 { #expect(try client.receive() == #"{"parameters":{}}"#) }
        }
        let notes = await service.state.notes
        #expect(notes.count == 31 && (notes.firstIndex(of: "new") ?? 31) < 10, "\(notes)")
    }

    private static func note(_ text: String, _ method: String = "Note") -> String {
        #"{"method":"org.example.echo.\#(method)","parameters":{"text":"\#(text)"}}|"#
    }

    @Test("a client that calls without reading waits in its writes, and delays no other client")
    func unreadReplies() throws {
        let service = try EchoService()
        let greedy = try RawClient(service.address)
        let call =
            #"{"method":"org.example.echo.Echo","parameters":{"text":"\#(String(repeating: "x", count: 1000))"}}"#
        let calls = [UInt8](repeatElement(Array(call.utf8) + [0], count: 8_000).joined())
        let other = try VarlinkClient(connectingTo: service.address)
        var sent = 0
        while true {
            let more = try greedy.sendWithoutWaiting(calls[sent...])
            sent += more
            // The reply to the other client comes after a turn of the first.
            let reply: Text = try other.call("org.example.echo.Echo", Text(text: "y"))
            #expect(reply.text == "y")
            if more == 0 { break }
        }
        // The buffers of the kernel and of the service are much smaller than these 8 MB.
        #expect(sent < 4_000_000)
    }

    @Test("listening at a used address throws the reason")
    func addressInUse() throws {
        let service = try EchoService()
        let error = #expect(throws: VarlinkError.self) { try EchoService(listeningAt: service.address) }
        #expect(error?.description == "cannot reach \(service.address): address already in use")
    }

    @Test("a handler sees that a call is oneway")
    func oneway() throws {
        let seen = try Mailbox<Bool>()
        let interface = try VarlinkInterface(
            "interface org.example.one\nmethod Note() -> ()\n",
            methods: [
                .handle("Note") { (call: VarlinkCall<NoParameters, NoParameters>) in
                    seen.put(call.isOneway)
                    call.reply(NoParameters())
                }
            ])
        let service = try EchoService(and: [interface])
        let client = try VarlinkClient(connectingTo: service.address)
        try client.callOneway("org.example.one.Note")
        let _: NoParameters = try client.call("org.example.one.Note")
        #expect(try [seen.take(), seen.take()] == [true, false])
    }
}

extension EchoService {
    func connectionCount() async -> Int {
        await state.onLoop { [service] in service.connectionCount }
    }
}

extension EchoState {
    /// Runs the body on the loop.
    func onLoop<Value: Sendable>(_ body: @Sendable () -> Value) -> Value { body() }
}

extension AnyJSON {
    fileprivate static func random(_ random: inout SplitMix64, depth: Int) -> AnyJSON {
        switch random.int(in: 0..<(depth > 0 ? 8 : 6)) {
        case 0: .null
        case 1: .bool(random.chance(1, in: 2))
        case 2: .int([.min, .max, 0, -1, (1 << 53) + 1][random.int(in: 0..<5)])
        case 3: .double([0.5, -1e300, 2.5e-300][random.int(in: 0..<3)])
        case 4: .string(["", "ü", "\u{1F600}\"\\\u{1}"][random.int(in: 0..<3)])
        case 5: .object([:])
        case 6: .array((0..<random.int(in: 0..<4)).map { _ in self.random(&random, depth: depth - 1) })
        default: .object(["a": self.random(&random, depth: depth - 1), "": .array([])])
        }
    }
}
