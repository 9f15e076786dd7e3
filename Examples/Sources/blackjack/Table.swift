import Diffable

struct Card: Hashable, Decodable, CustomStringConvertible {
    enum Suit: String, Decodable { case spades = "SPADES", hearts = "HEARTS", diamonds = "DIAMONDS", clubs = "CLUBS" }
    enum Value: String, Decodable {
        case ace = "ACE", king = "KING", queen = "QUEEN", jack = "JACK"
        case two = "2", three = "3", four = "4", five = "5", six = "6", seven = "7", eight = "8", nine = "9", ten = "10"
    }

    let value: Value
    let suit: Suit

    var description: String { "\(value) of \(suit)" }
    var points: Int { Int(value.rawValue) ?? (value == .ace ? 11 : 10) }
}

enum Player: String, CaseIterable { case dealer = "Dealer", you = "You" }

/// A section is a player, whatever the total in its header.
struct Hand: Identifiable, Equatable {
    let id: Player
    let total: Int
}

enum Item: Identifiable, Hashable, CustomStringConvertible {
    case card(Card)
    case coming(Player, Int)
    case failure(String)

    var id: Self { self }

    var description: String {
        switch self {
        case .card(let card): card.description
        case .coming: "..."
        case .failure(let reason): "FAILED: \(reason)"
        }
    }
}

/// All that is known of a round, and the one way from there to the snapshot.
struct Table {
    var cards: [Player: [Card]] = [:]
    /// How many have been asked for.
    var coming: [Player: Int] = [:]
    var failure: String?

    /// - Throws: `DiffableError` where a card is on the table twice.
    func snapshot() throws -> DiffableSnapshot<Hand, Item> {
        var snapshot = DiffableSnapshot<Hand, Item>()
        for player in Player.allCases {
            snapshot.appendSections([Hand(id: player, total: total(of: player))])
            try snapshot.appendItems(cards[player, default: []].map { .card($0) })
            try snapshot.appendItems((0..<coming[player, default: 0]).map { .coming(player, $0) })
        }
        if let failure { try snapshot.appendItems([.failure(failure)]) }
        return snapshot
    }

    private func total(of player: Player) -> Int {
        let cards = cards[player, default: []]
        var total = cards.map(\.points).reduce(0, +)
        for card in cards where card.value == .ace && total > 21 { total -= 10 }
        return total
    }
}
