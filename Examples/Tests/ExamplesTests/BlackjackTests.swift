import Glibc
import Testing

@Suite struct BlackjackTests {
    @Test("cards that were asked for have a place before they come")
    func dealing() throws {
        let (lines, requests) = try play(["0S", "9H", "KD", "8C", "AD"], ["deal", "hit"])
        #expect(
            lines == [
                "Dealer (0): ..., ...",
                "You (0): ..., ...",
                "Dealer (19): ten of spades, nine of hearts",
                "You (18): king of diamonds, eight of clubs",
                "Dealer (19): ten of spades, nine of hearts",
                "You (18): king of diamonds, eight of clubs, ...",
                "Dealer (19): ten of spades, nine of hearts",
                "You (19): king of diamonds, eight of clubs, ace of diamonds",
            ])
        #expect(
            requests == [
                "/api/deck/new/shuffle/ 200", "/api/deck/local/draw/?count=4 200", "/api/deck/local/draw/?count=1 200",
            ])
    }

    @Test(
        "a failure stands where the card would, and the next request goes on from there",
        arguments: [
            ("500", "the service answered 500"),
            ("junk", "the service answered something else than cards"),
        ])
    func failureInARound(word: String, reason: String) throws {
        let (lines, _) = try play(["0S", "9H", "KD", "5C", word, "AD"], ["deal", "hit", "hit"])
        #expect(lines.contains("You (15): king of diamonds, five of clubs, FAILED: \(reason)"))
        #expect(lines.last == "You (16): king of diamonds, five of clubs, ace of diamonds")
    }

    @Test("where the shuffle fails, nothing is drawn")
    func failureAtTheShuffle() throws {
        let (lines, requests) = try play(["503"], ["deal"])
        #expect(lines.suffix(2) == ["Dealer (0): ", "You (0): FAILED: the service answered 503"])
        #expect(requests == ["/api/deck/new/shuffle/ 503"])
    }

    @Test("a card dealt twice is refused by name, and the table stays as it was")
    func cardTwice() throws {
        let (lines, _) = try play(["0S", "9H", "KD", "8C", "9H"], ["deal", "hit"])
        #expect(
            lines.last
                == "You (18): king of diamonds, eight of clubs, FAILED: "
                + #"apply: duplicateItem "nine of hearts" at [0, 1] and [1, 2]"#)
    }

    @Test("a deck that runs out is a failure")
    func emptyDeck() throws {
        let (lines, _) = try play(["0S", "9H", "KD"], ["deal"])
        #expect(lines.last == "You (0): FAILED: the service answered something else than cards")
    }

    @Test("a service that is not there is a failure, and the program goes on")
    func refusedConnection() throws {
        let closed = try ClosedPort()
        let lines = try Program.run(
            "blackjack", ["http://127.0.0.1:\(closed.number)"], typing: ["hit", "deal", "deal"])
        let round = ["Dealer (0): ..., ...", "You (0): ..., ...", "Dealer (0): ", "You (0): FAILED: \(unreachable)"]
        #expect(lines == ["Say deal, and then hit."] + round + round)
    }

    private let unreachable = "the service cannot be reached"

    /// What blackjack prints with these cards on top of the deck, and what the service was asked.
    private func play(_ cards: [String], _ commands: [String]) throws -> (lines: [String], requests: [String]) {
        let server = try Program("deck-server", ["0"] + cards)
        let lines = try Program.run("blackjack", [try server.firstLine()], typing: commands)
        return (lines, Array(try server.stop().dropFirst()))
    }
}

/// A port of the loopback interface that is taken, so that nobody else gets it, and on which nobody listens.
private final class ClosedPort {
    let number: UInt16
    private let socket: Int32

    init() throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let socket = socket
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(socket, pointer, size) == 0 ? getsockname(socket, pointer, &size) : -1
            }
        }
        number = UInt16(bigEndian: address.sin_port)
        guard result == 0 else { throw TestFailure(description: "no port: errno \(errno)") }
    }

    deinit {
        close(socket)
    }
}
