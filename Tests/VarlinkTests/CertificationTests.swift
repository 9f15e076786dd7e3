import FoundationEssentials
import TestSupport
import Testing
import Unix
import Varlink

/// The public interface `org.varlink.certification`, between this library and the Python package.
@Suite(
    .enabled(if: isSlowTier, "slow tier"),
    .enabled(if: VarlinkPython.path != nil, "\(VarlinkPython.skipReason)"))
struct CertificationTests {
    private let python: String

    init() throws {
        python = try #require(VarlinkPython.path)
    }

    @Test("the Python client certifies a service with the interface text as published")
    func service() throws {
        let program = "import os, varlink.tests; print(os.path.dirname(varlink.tests.__file__))"
        let folder = try ChildProcess.run(python, ["-c", program]).output.filter { $0 != "\n" }
        let text = try contentsOfFile("\(folder)/\(interface).varlink", limit: 1 << 16)
        let service = try CertifiedService(String(decoding: text, as: UTF8.self))
        let result = try ChildProcess.run(python, arguments(service.address) + ["--client"])
        #expect(result.output.contains("End: {'all_ok': True}\nCertification passed\n"), "\(result)")
        #expect(result.ending == .exited(0), "\(result.errors)")
    }

    @Test("the Python service certifies the client")
    func client() throws {
        let folder = try TemporaryFolder()
        let address = folder.path("socket")
        let service = try ChildProcess(
            python, arguments(address), environment: ["PYTHONUNBUFFERED": "1"])
        try service.output.waitFor("Listening on")
        let client = try VarlinkClient(connectingTo: address)
        func call(_ method: String, _ message: Message) throws -> Message {
            try client.call("\(interface).\(method)", message)
        }

        let id = try call("Start", [:])["client_id"]
        var message: Message = [:]
        for number in 1...9 {
            message["client_id"] = id
            message = try call("Test0\(number)", message)
        }
        message["client_id"] = id
        let replies = try client.stream("\(interface).Test10", message, returning: Message.self)
        var texts: [AnyJSON] = []
        while let reply = try replies.next() { texts.append(try #require(reply["string"])) }
        let last = ["client_id": try #require(id), "last_more_replies": .array(texts)]
        try client.callOneway("\(interface).Test11", last)
        #expect(try call("End", ["client_id": #require(id)])["all_ok"] == .bool(true))
    }

    private func arguments(_ address: String) -> [String] {
        ["-m", "varlink.tests.test_certification", "--varlink=unix:\(address)"]
    }
}

private let interface = "org.varlink.certification"

/// The parameters or the reply of any method of the interface. The reply of a test is the parameters of the next one.
private typealias Message = [String: AnyJSON]

/// A service that expects the calls of the interface in order, each with the reply of the call before.
private final class CertifiedService: Sendable {
    let address: String
    private let folder: TemporaryFolder
    private let loop: VarlinkLoop
    private let service: VarlinkService

    init(_ text: String) throws {
        folder = try TemporaryFolder()
        address = folder.path("socket")
        loop = try VarlinkLoop()
        service = VarlinkService(
            .init(vendor: "tests", product: "certification", version: "1", url: "https://example.org/"),
            interfaces: [try VarlinkInterface(text, methods: Self.methods())], limits: ServiceLimits(),
            on: loop,
            busy: ErrorReply("\(interface).ClientIdError"),
            explain: { _ in ErrorReply("\(interface).ClientIdError") }, log: { _ in })
        try service.listen(at: address)
        try loop.start(name: "certification")
    }

    deinit {
        loop.perform { [service, loop] in
            service.stop()
            loop.stop()
        }
    }

    /// The method and the reply of each step. The reply with the ID of the client is the parameters of the next step.
    private static let steps = [
        ("Start", #"{"client_id":"client"}"#), ("Test01", #"{"bool":true}"#), ("Test02", #"{"int":1}"#),
        ("Test03", #"{"float":1.5}"#), ("Test04", #"{"string":"ping"}"#), ("Test05", values),
        ("Test06", #"{"struct":\#(values)}"#), ("Test07", #"{"map":{"foo":"Foo","bar":"Bar"}}"#),
        ("Test08", #"{"set":{"one":{},"two":{},"three":{}}}"#), ("Test09", #"{"mytype":\#(mytype)}"#),
        ("Test10", #"{"last_more_replies":["1","2","3","4","5","6","7","8","9","10"]}"#), ("Test11", "{}"),
        ("End", #"{"all_ok":true}"#),
    ]

    private static let values = #"{"bool":false,"int":2,"float":3.25,"string":"a lot of string"}"#

    private static let mytype = #"""
        {
            "object": {"method": "org.varlink.certification.Test09", "parameters": {"map": {"foo": "Foo", "bar": "Bar"}}},
            "enum": "two", "struct": {"first": 1, "second": "2"}, "array": ["one", "two", "three"],
            "dictionary": {"foo": "Foo", "bar": "Bar"}, "stringset": {"one": {}, "two": {}, "three": {}},
            "interface": {
                "foo": [null, {"foo": "foo", "bar": "bar"}, null, {"one": "foo", "two": "bar"}],
                "anon": {"foo": true, "bar": false}
            }
        }
        """#

    private static func methods() throws -> [VarlinkMethod] {
        let done = Locked(0)
        let replies = try steps.map { try JSONDecoder().decode(Message.self, from: Data($0.1.utf8)) }
        return steps.indices.map { index in
            let (method, reply) = (steps[index].0, replies[index])
            var expected = index == 0 ? [:] : replies[index - 1]
            expected["client_id"] = index == 0 ? nil : .string("client")
            return .handle(method, more: method == "Test10" ? .required : nil) {
                [expected] (call: VarlinkCall<Message, Message>) in
                let isNext = done.withLock { count in
                    defer { count += 1 }
                    return count == index
                }
                guard isNext && call.parameters == expected else {
                    throw ErrorReply(
                        "\(interface).CertificationError", ["wants": expected, "got": call.parameters])
                }
                guard case .array(let texts) = reply["last_more_replies"] else { return call.reply(reply) }
                for text in texts.dropLast() { call.send(["string": text]) }
                call.reply(["string": texts[9]])
            }
        }
    }
}
