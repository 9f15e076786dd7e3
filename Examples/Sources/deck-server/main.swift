// Stands in for deckofcardsapi.com on this machine: deck-server PORT [CARD…]
//
// It listens on 127.0.0.1, says where, and answers one request at a time. The cards (KH is the king of hearts, 0S the
// ten of spades) lie on top of the deck in this order; without any, the deck is shuffled. For those who like to see
// things go wrong, a word that is no card answers the next request instead: a number is a status, `junk` is no JSON.

import Glibc

let values = [
    "A": "ACE", "K": "KING", "Q": "QUEEN", "J": "JACK", "0": "10", "9": "9", "8": "8", "7": "7", "6": "6", "5": "5",
    "4": "4", "3": "3", "2": "2",
]
let suits = ["S": "SPADES", "H": "HEARTS", "D": "DIAMONDS", "C": "CLUBS"]

/// The card as the service writes it; nil where the word is no card.
@MainActor func card(_ code: String) -> String? {
    guard code.count == 2, let value = values["\(code.first!)"], let suit = suits["\(code.last!)"] else { return nil }
    return #"{"code":"\#(code)","value":"\#(value)","suit":"\#(suit)"}"#
}

let stacked = Array(CommandLine.arguments.dropFirst(2))
var deck = stacked

@MainActor func answer(to path: Substring) -> (status: Int, body: String) {
    if let word = deck.first, card(word) == nil {
        deck.removeFirst()
        return (Int(word) ?? 200, #"{"success": tru"#)
    }
    if path == "/api/deck/new/shuffle/" {
        if stacked.isEmpty { deck = values.keys.flatMap { value in suits.keys.map { value + $0 } }.shuffled() }
        return (200, #"{"success":true,"deck_id":"local","shuffled":true,"remaining":\#(deck.count)}"#)
    }
    guard path.hasPrefix("/api/deck/local/draw/?count="), let count = Int(path.split(separator: "=").last!), count > 0
    else { return (404, "") }
    let drawn = deck.prefix(count).prefix { card($0) != nil }
    deck.removeFirst(drawn.count)
    let cards = drawn.compactMap(card).joined(separator: ",")
    let success = drawn.count == count
    return (200, #"{"success":\#(success),"deck_id":"local","cards":[\#(cards)],"remaining":\#(deck.count)}"#)
}

@MainActor func listen(on port: UInt16) -> (socket: Int32, port: UInt16) {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var yes: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
            bind(listener, pointer, size) == 0 && Glibc.listen(listener, 16) == 0
                ? getsockname(listener, pointer, &size) : -1
        }
    }
    guard result == 0 else {
        perror("deck-server")
        exit(1)
    }
    return (listener, UInt16(bigEndian: address.sin_port))
}

let (listener, port) = listen(on: CommandLine.arguments.dropFirst().first.flatMap(UInt16.init) ?? 8052)
print("http://127.0.0.1:\(port)")
fflush(nil)

while true {
    let connection = accept(listener, nil, nil)
    guard connection >= 0 else { continue }
    defer { close(connection) }
    var request = [UInt8](repeating: 0, count: 4096)
    // The request of this example fits one packet; what comes in pieces is a bad request.
    let count = recv(connection, &request, request.count, 0)
    let words = String(decoding: request.prefix(max(0, count)), as: UTF8.self).split(separator: " ", maxSplits: 2)
    let (status, body) = words.count == 3 && words[0] == "GET" ? answer(to: words[1]) : (400, "")
    print(words.count == 3 ? "\(words[1]) \(status)" : "\(status)")
    fflush(nil)
    let bytes = Array("HTTP/1.0 \(status) -\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
    _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
}
