import JSON
import Varlink

/// The bytes of a client, and the replies that it must get.
struct Conversation {
    /// The replies that one message must get.
    enum Answer: Equatable {
        /// Exactly these replies.
        case exactly([String])
        /// A first reply, any number of others, and the last one.
        case stream(first: String, last: String)
        /// No reply.
        case none
        /// The connection ends here.
        case end
        /// Random bytes: the connection ends, or they get the replies of a call, which are none for a oneway call.
        case any(isOneway: Bool, wantsMore: Bool)
    }

    private(set) var bytes: [UInt8] = []
    private(set) var answers: [Answer] = []
    /// True if the last message is incomplete.
    private(set) var isCutOff = false

    init(_ script: inout Script) {
        let count = 1 + script.number(below: 24)
        for number in 0..<count where !script.isAtEnd { addMessage(number, &script) }
    }

    private mutating func addMessage(_ number: Int, _ script: inout Script) {
        let text = "\(number)"
        switch script.number(below: 24) {
        case 0: add(call("Echo", #"{"text":"\#(text)"}"#, #","oneway":true"#), .none)
        case 1: add(call("Fail", #"{"text":"\#(text)"}"#), .exactly([error("Failed", #"{"text":"\#(text)"}"#)]))
        case 2, 3: add(call("Hold", #"{"text":"\#(text)"}"#), .exactly([reply(text)]))
        case 4: add(call("Count", #"{"to":3}"#, #","more":true"#), .exactly([1, 2, 3].map(Self.number)))
        case 5: add(call("Count", #"{"to":3}"#), .exactly([standardError("ExpectedMore", "{}")]))
        case 6, 7: add(call("Follow", "null", #","more":true"#), .stream(first: follow("first"), last: reply("end")))
        case 8: add(call("Follow", "{}"), .exactly([reply("once")]))
        case 9: add(call("No", "{}"), .exactly([standardError("MethodNotFound", name(parameter: "method", "No"))]))
        case 10:
            add(
                #"{"method":"org.nobody.Echo"}"#,
                .exactly([standardError("InterfaceNotFound", #"{"interface":"org.nobody"}"#)]))
        case 11: add(call("Sum", #"{"numbers":[1,2.0]}"#), .exactly([invalid("numbers[1]")]))
        case 12: add(call("Echo", #"{"text":"a","more":1}"#), .exactly([invalid("more")]))
        case 13:
            let refusal = standardError("MethodNotImplemented", name(parameter: "method", "Echo"))
            add(call("Echo", #"{"text":"a"}"#, #","upgrade":true"#), .exactly([refusal]))
        case 14:
            let forgotten = error("Failed", #"{"text":"the call was dropped without an answer"}"#)
            add(call("Forget", "{}"), .exactly([forgotten]))
        case 15: addPadded(text, &script)
        case 16: add("", .end)
        case 17: add("[]", .end)
        case 18: addSpoilt(&script)
        case 19: addMalformed(script.piece(script.number(below: 48)))
        case 20: addParameters(&script)
        default: add(call("Echo", #"{"text":"\#(text)"}"#), .exactly([reply(text)]))
        }
    }

    // MARK: Messages

    private mutating func add(_ message: String, _ answer: Answer) {
        bytes += Array(message.utf8) + [0]
        answers.append(answer)
    }

    /// A call of about the maximum size.
    private mutating func addPadded(_ text: String, _ script: inout Script) {
        let message = call("Echo", #"{"text":"\#(text)"}"#)
        let length = FuzzedService.limits.messageBytes - 1 + script.number(below: 3)
        let isTooLong = length > FuzzedService.limits.messageBytes
        add(
            String(repeating: " ", count: length - message.utf8.count) + message,
            isTooLong ? .end : .exactly([reply(text)]))
    }

    /// A call with one changed byte.
    private mutating func addSpoilt(_ script: inout Script) {
        let methods = ["Echo", "Hold", "Follow", "Count", "Sum"]
        let flags = ["", #","more":true"#, #","oneway":true"#]
        let method = methods[script.number(below: methods.count)]
        let message = call(method, #"{"text":"a","to":2,"numbers":[1]}"#, flags[script.number(below: flags.count)])
        var spoilt = Array(message.utf8)
        spoilt[script.number(below: spoilt.count)] = script.byte()
        addMalformed(spoilt + [0])
    }

    /// A call with random parameters.
    private mutating func addParameters(_ script: inout Script) {
        let parameters = script.piece(script.number(below: 64))
        addMalformed(Array(#"{"method":"org.example.fuzz.Sum","parameters":"#.utf8) + parameters + Array("}\0".utf8))
    }

    /// Bytes that may be any number of messages.
    private mutating func addMalformed(_ garbage: [UInt8]) {
        var pieces = garbage.split(separator: 0, omittingEmptySubsequences: false)
        let last = pieces.removeLast()
        for piece in pieces { addUnknown(Array(piece)) }
        // An incomplete message is ended. Otherwise the next message would continue it.
        if !last.isEmpty { addUnknown(Array(last)) }
    }

    private mutating func addUnknown(_ message: [UInt8]) {
        bytes += message + [0]
        let flags = try? JSONDocument(message).root.decode(Flags.self)
        answers.append(.any(isOneway: flags?.oneway ?? false, wantsMore: flags?.more ?? false))
    }

    private struct Flags: Decodable {
        let oneway: Bool?
        let more: Bool?
    }

    /// Removes the last bytes of the last message.
    mutating func cutOff(_ count: Int) {
        guard count > 0, bytes.count > count, bytes.dropLast().suffix(count).allSatisfy({ $0 != 0 }) else { return }
        bytes.removeLast(count)
        answers.removeLast()
        isCutOff = bytes.last != 0
    }

    private func call(_ method: String, _ parameters: String, _ rest: String = "") -> String {
        #"{"method":"\#(FuzzedService.name).\#(method)","parameters":\#(parameters)\#(rest)}"#
    }

    // MARK: Replies

    private func reply(_ text: String) -> String {
        #"{"parameters":{"text":"\#(text)"}}"#
    }

    private func follow(_ text: String) -> String {
        #"{"parameters":{"text":"\#(text)"},"continues":true}"#
    }

    private static func number(_ number: Int) -> String {
        #"{"parameters":{"number":\#(number)}\#(number < 3 ? #","continues":true"# : "")}"#
    }

    private func error(_ name: String, _ parameters: String) -> String {
        #"{"error":"\#(FuzzedService.name).\#(name)","parameters":\#(parameters)}"#
    }

    private func standardError(_ name: String, _ parameters: String) -> String {
        #"{"error":"org.varlink.service.\#(name)","parameters":\#(parameters)}"#
    }

    private func invalid(_ parameter: String) -> String {
        standardError("InvalidParameter", #"{"parameter":"\#(parameter)"}"#)
    }

    private func name(parameter: String, _ method: String) -> String {
        #"{"\#(parameter)":"\#(FuzzedService.name).\#(method)"}"#
    }
}
