// Blackjack, with cards from a deck service: blackjack http://127.0.0.1:8052
// One command a line: deal begins a round, hit asks for one card more.

import Diffable

let service = DeckService(url: CommandLine.arguments.dropFirst().first ?? "http://127.0.0.1:8052")
let dataSource = DiffableDataSource<Hand, Item>()
var table = Table()
var deck: Deck?

let observation = dataSource.observe { transaction in
    for hand in transaction.finalSnapshot.sections {
        let rows = transaction.finalSnapshot[hand.id]
        print("\(hand.id.rawValue) (\(hand.total)):", rows.map(\.description).joined(separator: ", "))
    }
    print("")
}

@MainActor func show(_ next: Table) throws {
    try dataSource.apply(next.snapshot())
    table = next
}

/// Shows that cards are coming, and then the cards, or why they did not come.
@MainActor func ask(for coming: [Player: Int], _ request: () async throws -> [Player: [Card]]) async throws {
    let cards = table.cards
    try show(Table(cards: cards, coming: coming))
    do {
        try show(Table(cards: cards.merging(try await request(), uniquingKeysWith: +)))
    } catch {
        try show(Table(cards: cards, failure: "\(error)"))
    }
}

while let command = readLine() {
    switch (command, deck) {
    case ("deal", _):
        table = Table()
        try await ask(for: [.dealer: 2, .you: 2]) {
            let shuffled = try await service.shuffle()
            let cards = try await service.draw(4, from: shuffled)
            deck = shuffled
            return [.dealer: Array(cards[..<2]), .you: Array(cards[2...])]
        }
    case ("hit", let deck?):
        try await ask(for: [.you: 1]) { [.you: try await service.draw(1, from: deck)] }
    default:
        print("Say deal, and then hit.")
    }
}
