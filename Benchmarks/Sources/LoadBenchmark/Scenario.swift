/// A load that many clients put on the daemon at once.
struct Scenario: Sendable {
    let name: String
    let summary: String
    /// True if a joke becomes a favorite, or stops being one, before each timed call.
    var changesJokes = false
    /// True if the clients hang up by themselves, and connect again before the stop.
    var hangsUp = false
    let begin: @Sendable (LoadClients) throws -> Void

    static let all = [
        Scenario(name: "quiet", summary: "no load, for comparison") { _ in },
        gone(20), gone(200),
        Scenario(name: "lists", summary: "20 clients call List without a pause, with four pending calls each") {
            clients in
            for _ in 0..<20 { try clients.add(.callsAgain, sending: list, times: 4) }
        },
        Scenario(name: "exports", summary: "300 clients call Export without a pause") { clients in
            for _ in 0..<300 {
                try clients.add(.callsAgain, sending: call("Export", #"{"all":true,"cursor":"jokes "}"#))
            }
        },
        Scenario(
            name: "views", summary: "clients watch 128 different views, 32 of them with a query", changesJokes: true
        ) { clients in
            for size in 1...96 { try clients.add(.reads, sending: watch(#""size":\#(900 + size)"#)) }
            for number in 1...32 { try clients.add(.reads, sending: watch(#""query":"a\#(number) *","size":100"#)) }
        },
        Scenario(name: "unread", summary: "1,000 clients watch and read nothing", changesJokes: true) { clients in
            for _ in 0..<1000 { try clients.add(.ignores, sending: watch("")) }
        },
        Scenario(name: "halves", summary: "900 clients send half a message of a megabyte each") { clients in
            let half = [UInt8](repeating: 32, count: 1 << 16)
            for _ in 0..<900 { try clients.add(.ignores, sending: half, times: 15) }
        },
    ]

    private static func gone(_ count: Int) -> Scenario {
        Scenario(
            name: "gone\(count)", summary: "\(count) clients send 3,322 calls of List each, and hang up", hangsUp: true
        ) { clients in
            let calls = [UInt8](repeatElement(list, count: 3322).joined())
            for _ in 0..<count { try clients.add(.hangsUp, sending: calls) }
        }
    }

    private static let list = call("List", #"{"limit":100}"#)

    private static func watch(_ members: String) -> [UInt8] {
        call("Watch", #"{"view":{\#(members)}}"#, flag: #","more":true"#)
    }

    static func call(_ method: String, _ parameters: String = "{}", flag: String = "") -> [UInt8] {
        Array(#"{"method":"org.jokesd.Jokes.\#(method)","parameters":\#(parameters)\#(flag)}"#.utf8) + [0]
    }
}
