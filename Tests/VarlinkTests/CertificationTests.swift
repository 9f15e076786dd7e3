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
        let text = try contentsOfFile("\(folder)/\(Certification.interface).varlink", limit: 1 << 16)
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
        func call(_ method: String, _ message: Certification) throws -> Certification {
            try client.call("\(Certification.interface).\(method)", message)
        }

        let id = try call("Start", Certification()).clientID
        var message = Certification()
        for number in 1...9 {
            message.clientID = id
            message = try call("Test0\(number)", message)
        }
        message.clientID = id
        let replies = try client.stream(
            "\(Certification.interface).Test10", message, returning: Certification.self)
        var texts: [String] = []
        while let reply = try replies.next() { texts.append(try #require(reply.string)) }
        let last = Certification(clientID: id, lastMoreReplies: texts)
        try client.callOneway("\(Certification.interface).Test11", last)
        #expect(try call("End", Certification(clientID: id)).allOK == true)
    }

    private func arguments(_ address: String) -> [String] {
        ["-m", "varlink.tests.test_certification", "--varlink=unix:\(address)"]
    }
}

/// The parameters or the reply of any method of the interface. The reply of a test is the parameters of the next one.
private struct Certification: Codable, Sendable, Equatable {
    static let interface = "org.varlink.certification"

    struct Values: Codable, Sendable, Equatable {
        var bool: Bool
        var int: Int
        var float: Double
        var string: String
    }

    struct MyType: Codable, Sendable, Equatable {
        enum Number: String, Codable { case one, two, three }

        struct Pair: Codable, Equatable {
            var first: Int
            var second: String
        }

        var object = Call()
        var `enum` = Number.two
        var `struct` = Pair(first: 1, second: "2")
        var array = ["one", "two", "three"]
        var dictionary = ["foo": "Foo", "bar": "Bar"]
        var stringset = ["one": NoParameters(), "two": NoParameters(), "three": NoParameters()]
        var nullable: String?
        var nullableArrayStruct: [Pair]?
        var interface = Interface()

        enum CodingKeys: String, CodingKey {
            case object, `enum`, `struct`, array, dictionary, stringset, nullable
            case nullableArrayStruct = "nullable_array_struct"
            case interface
        }
    }

    struct Interface: Codable, Equatable {
        enum Word: String, Codable { case foo, bar, baz }

        struct Flags: Codable, Equatable {
            var foo = true
            var bar = false
        }

        var foo: [[String: Word]?]? = [
            nil, ["foo": .foo, "bar": .bar], nil, ["one": .foo, "two": .bar],
        ]
        var anon = Flags()
    }

    /// The value of type `object`.
    struct Call: Codable, Equatable {
        var method = "org.varlink.certification.Test09"
        var parameters = ["map": ["foo": "Foo", "bar": "Bar"]]
    }

    var clientID: String?
    var bool: Bool?
    var int: Int?
    var float: Double?
    var string: String?
    var `struct`: Values?
    var map: [String: String]?
    var set: [String: NoParameters]?
    var mytype: MyType?
    var lastMoreReplies: [String]?
    var allOK: Bool?

    enum CodingKeys: String, CodingKey {
        case clientID = "client_id"
        case bool, int, float, string, `struct`, map, set, mytype
        case lastMoreReplies = "last_more_replies"
        case allOK = "all_ok"
    }
}

/// A service that expects the calls of the interface in order, each with the reply of the call before.
private final class CertifiedService: Sendable {
    private typealias Message = Certification

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
            busy: ErrorReply("\(Message.interface).ClientIdError"),
            explain: { _ in ErrorReply("\(Message.interface).ClientIdError") }, log: { _ in })
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
    private static let steps: [(method: String, reply: Message)] = [
        ("Start", Message(clientID: "client")),
        ("Test01", Message(bool: true)),
        ("Test02", Message(int: 1)),
        ("Test03", Message(float: 1)),
        ("Test04", Message(string: "ping")),
        ("Test05", Message(bool: false, int: 2, float: .pi, string: "a lot of string")),
        ("Test06", Message(struct: .init(bool: false, int: 2, float: .pi, string: "a lot of string"))),
        ("Test07", Message(map: ["foo": "Foo", "bar": "Bar"])),
        (
            "Test08",
            Message(set: ["one": NoParameters(), "two": NoParameters(), "three": NoParameters()])
        ),
        ("Test09", Message(mytype: .init())),
        ("Test10", Message(lastMoreReplies: (1...10).map { "Reply number \($0)" })),
        ("Test11", Message()),
        ("End", Message(allOK: true)),
    ]

    private struct Difference: Encodable {
        var wants: Message
        var got: Message
    }

    private static func methods() -> [VarlinkMethod] {
        let done = Locked(0)
        return steps.indices.map { index in
            let (method, reply) = steps[index]
            var expected = index == 0 ? Message() : steps[index - 1].reply
            expected.clientID = index == 0 ? nil : "client"
            return .handle(method, more: method == "Test10" ? .required : nil) {
                [expected] (call: VarlinkCall<Message, Message>) in
                let isNext = done.withLock { count in
                    defer { count += 1 }
                    return count == index
                }
                guard isNext && call.parameters == expected else {
                    throw ErrorReply(
                        "\(Message.interface).CertificationError",
                        Difference(wants: expected, got: call.parameters))
                }
                guard method == "Test10" else { return call.reply(reply) }
                let replies = (reply.lastMoreReplies ?? []).map { Message(string: $0) }
                for reply in replies.dropLast() { call.send(reply) }
                call.reply(replies[9])
            }
        }
    }
}
