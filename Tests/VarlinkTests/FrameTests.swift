import TestSupport
import Testing
import Varlink

/// The bytes of calls and of their replies. `|` is the NUL that ends a message.
@Suite struct FrameTests {
    private static let echo = #"{"method":"org.example.echo.Echo","parameters":{"text":"a"}}"#
    private static let reply = #"{"parameters":{"text":"a"}}"#

    /// Sends the bytes, and reads until the service closes the connection after its last reply.
    private func exchange(_ text: String, with service: EchoService) throws -> String {
        let client = try RawClient(service.address)
        try client.send(text)
        client.shutDownWriting()
        return try client.receiveAll()
    }

    private static func error(_ name: String, _ parameters: String) -> String {
        #"{"error":"org.varlink.service.\#(name)","parameters":\#(parameters)}|"#
    }

    private static let empty = #"{"parameters":{}}|"#
    private static let twoNumbers = #"{"parameters":{"number":1},"continues":true}|{"parameters":{"number":2}}|"#

    /// Calls and their replies.
    private static let calls: [(String, String)] = [
        (echo + "|", reply + "|"),
        // Pipelined, and in one write.
        ("\(echo)|\(echo)|\(echo)|", "\(reply)|\(reply)|\(reply)|"),
        // Absent, null and empty parameters are the same, and unknown keys are ignored.
        (#"{"method":"org.example.echo.Nothing"}|"#, empty),
        (#"{"method":"org.example.echo.Nothing","parameters":null,"more":null}|"#, empty),
        (#"{"method":"org.example.echo.Nothing","parameters":{},"unknown":[1]}|"#, empty),
        (#" { "method" : "org.example.echo.Nothing" } |"#, empty),
        // One reply, also with `more`.
        (#"{"method":"org.example.echo.Echo","parameters":{"text":"a"},"more":true}|"#, reply + "|"),
        // No reply in any case.
        (#"{"method":"org.example.echo.Fail","parameters":{"text":"x"},"oneway":true}|"#, ""),
        (#"{"method":"org.example.echo.No","oneway":true}|\#(echo)|"#, reply + "|"),
        (#"{"method":"org.example.echo.Count","parameters":{"to":3},"oneway":true}|"#, ""),
        // Streams, and calls after them.
        (#"{"method":"org.example.echo.Count","parameters":{"to":2},"more":true}|\#(echo)|"#, twoNumbers + reply + "|"),
        (#"{"method":"org.example.echo.Follow"}|"#, #"{"parameters":{"text":"x"}}|"#),
    ]

    @Test("each call gets the reply that the protocol defines", arguments: calls)
    func answers(_ sent: String, _ expected: String) throws {
        let service = try EchoService()
        #expect(try exchange(sent, with: service) == expected)
    }

    /// The method, the rest of the message, and the error reply.
    private static let refusals: [(String, String, String)] = [
        ("nothing.Echo", "", error("InterfaceNotFound", #"{"interface":"org.example.nothing"}"#)),
        ("echo.No", "", error("MethodNotFound", #"{"method":"org.example.echo.No"}"#)),
        ("echo.Missing", "", error("MethodNotImplemented", #"{"method":"org.example.echo.Missing"}"#)),
        ("echo.Nothing", #","parameters":{"x":1}"#, error("InvalidParameter", #"{"parameter":"x"}"#)),
        ("echo.Echo", "", error("InvalidParameter", #"{"parameter":"text"}"#)),
        ("echo.Echo", #","parameters":[]"#, error("InvalidParameter", #"{"parameter":"parameters"}"#)),
        ("echo.Count", #","parameters":{"to":3}"#, error("ExpectedMore", "{}")),
        (
            "echo.Fail", #","parameters":{"text":"x"}"#,
            #"{"error":"org.example.echo.Failed","parameters":{"text":"x"}}|"#
        ),
        // No method continues in another protocol.
        ("echo.Nothing", #","upgrade":true"#, error("MethodNotImplemented", #"{"method":"org.example.echo.Nothing"}"#)),
        (
            "echo.Forget", "",
            #"{"error":"org.example.echo.Failed","parameters":{"text":"the call was dropped without an answer"}}|"#
        ),
    ]

    @Test("a refused call gets the named error, and the next call gets a reply", arguments: refusals)
    func refuses(_ method: String, _ rest: String, _ expected: String) throws {
        let service = try EchoService()
        let call = #"{"method":"org.example.\#(method)"\#(rest)}|"#
        #expect(try exchange(call + Self.echo + "|", with: service) == expected + Self.reply + "|")
    }

    @Test("a name without an interface is not a method", arguments: ["Echo", "", "é"])
    func noInterface(_ name: String) throws {
        let service = try EchoService()
        let expected = Self.error("MethodNotFound", #"{"method":"\#(name)"}"#)
        #expect(try exchange(#"{"method":"\#(name)"}|"#, with: service) == expected)
    }

    @Test(
        "a malformed message ends the connection after the replies to earlier calls",
        arguments: [
            ("|", "a message is empty"),
            ("||", "a message is empty"),
            ("hello|", "byte 0: expected a value"),
            ("[]|", "a message is not an object"),
            ("\"x\"|", "a message is not an object"),
            ("null|", "a message is not an object"),
            ("{}|", "a call has no method"),
            (#"{"method":1}|"#, "a call has no method"),
            (#"{"method":"a.B","more":1}|"#, "member 'more' is not a boolean"),
            (#"{"method":"a.B","method":"a.B"}|"#, "duplicate member 'method'"),
            (#"{"method":"a.B","parameters":null,"parameters":{}}|"#, "duplicate member 'parameters'"),
            (#"{"method":"a.B","mor\u0065":true,"more":true}|"#, "duplicate member 'more'"),
            (#"{"method":"a.B","oneway":"true"}|"#, "member 'oneway' is not a boolean"),
            (#"{"method":"a.B","oneway":true,"more":true}|"#, "'oneway' cannot be combined with 'more' or 'upgrade'"),
            (#"{"method":"a.B"} {}|"#, "byte 17: unexpected text after the value"),
            (#"{"method":"a.B","parameters":{"t":"\u0000"}}|"#, "byte 35: U+0000 is not allowed"),
            (#"{"method":"a.B","parameters":{"t":"\ud800"}}|"#, "byte 35: lone surrogate"),
            (#"{"method":"a.B","parameters":{"t":"\udc00"}}|"#, "byte 35: lone surrogate"),
            (#"{"method":"a.B""#, "the connection ended within a message"),
            (
                #"{"method":"a.B","parameters":"# + String(repeating: "[", count: 3000) + "|",
                "byte 156: nested too deeply"
            ),
        ])
    func malformed(_ sent: String, _ reason: String) throws {
        let service = try EchoService()
        #expect(try exchange(Self.echo + "|" + sent, with: service) == Self.reply + "|")
        #expect(try service.endOfFirstClient() == reason)
    }

    @Test(
        "bytes that are not UTF-8 end the connection",
        arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80]] as [[UInt8]])
    func utf8(_ bytes: [UInt8]) throws {
        let service = try EchoService()
        let client = try RawClient(service.address)
        try client.send(Array(#"{"method":"a.B","parameters":{"t":""#.utf8) + bytes + Array("\"}}".utf8) + [0])
        #expect(try client.receiveAll() == "")
        #expect(try service.endOfFirstClient().hasSuffix("not UTF-8 text"))
    }

    @Test("a message of the maximum size is accepted, and a longer one is not")
    func limit() throws {
        let service = try EchoService()
        let padding = String(repeating: " ", count: (1 << 20) - Self.echo.utf8.count)
        #expect(try exchange(padding + Self.echo + "|", with: service) == Self.reply + "|")
        #expect(try exchange(padding + " " + Self.echo + "|", with: service) == "")
        #expect(try service.endOfFirstClient() == "a message is longer than 1048576 bytes")
    }

    @Test("a message may arrive byte by byte")
    func byteAtATime() throws {
        let service = try EchoService()
        let client = try RawClient(service.address)
        for byte in (Self.echo + "|").utf8 {
            try client.send([byte == UInt8(ascii: "|") ? 0 : byte])
        }
        #expect(try client.receive() == Self.reply)
    }
}

extension EchoService {
    /// Returns the reason for the first connection that was closed because of an invalid message.
    func endOfFirstClient() throws -> String {
        while true {
            if case .malformed(_, let reason) = try events.take("a client was cut off") { return reason }
        }
    }
}
