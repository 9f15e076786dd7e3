import FoundationEssentials
import PlainHTTP

struct Deck: Decodable {
    private enum CodingKeys: String, CodingKey { case id = "deck_id" }
    let id: String
}

struct NotCards: Error, CustomStringConvertible {
    let description = "the service answered something else than cards"
}

/// Asks for cards, in the words of deckofcardsapi.com.
struct DeckService {
    private struct Draw: Decodable { let cards: [Card] }

    /// Without a slash at the end.
    let url: String

    func shuffle() async throws -> Deck {
        try decode(await get("\(url)/api/deck/new/shuffle/"))
    }

    func draw(_ count: Int, from deck: Deck) async throws -> [Card] {
        let draw: Draw = try decode(await get("\(url)/api/deck/\(deck.id)/draw/?count=\(count)"))
        guard draw.cards.count == count else { throw NotCards() }
        return draw.cards
    }

    private func decode<Answer: Decodable>(_ body: Data) throws(NotCards) -> Answer {
        do { return try JSONDecoder().decode(Answer.self, from: body) } catch { throw NotCards() }
    }
}
