import JokesCore
import JokesExchange
import Testing

/// Files that other programs wrote.
@Suite struct ForeignFileTests {
    private static let now = Timestamp(microseconds: 1_700_000_000_000_000)

    private func read(_ text: String) throws -> [Favorite] {
        var favorites: [Favorite] = []
        try ImportFile(Array(text.utf8), now: Self.now).forEachRecord { record in
            guard case .favorite(let favorite) = record else {
                Issue.record("\(record) is no favorite")
                return
            }
            favorites.append(favorite)
        }
        return favorites
    }

    @Test("the items of a foreign JSON Feed become favorites, with the data of the feed")
    func feed() throws {
        let favorites = try read(
            """
            {"version": "https://jsonfeed.org/version/1", "title": "Puns", "language": "en-gb", "items": [
              {"id": 7, "url": "https://puns.test/7", "title": "Why did the duck cross?",
               "content_html": "<p>To <b>prove</b> it &amp; rest.</p>",
               "date_published": "2020-02-29T10:00:00Z", "author": {"name": "Ann"}, "tags": ["Pun", "Duck"]},
              {"id": "8", "content_text": "Wort\\u0007spiel", "language": "de",
               "authors": [{"name": "Bo"}, {"url": "x"}, {"name": "Cy"}]},
              {"content_text": "", "content_html": "<p>Not lost.</p>", "title": "Puns"}
            ]}
            """)
        #expect(
            favorites.map(\.content.text) == [
                .twoPart(setup: "Why did the duck cross?", punchline: "To prove it & rest."), .single("Wortspiel"),
                .single("Not lost."),
            ])
        #expect(favorites.map(\.content.language) == ["en-GB", "de", "en-GB"])
        #expect(favorites.map(\.content.details.author) == ["Ann", "Bo, Cy", nil])
        #expect(favorites.map(\.content.safety) == [.unknown, .unknown, .unknown])
        #expect(
            favorites[0].content.categories == ["Pun", "Duck"]
                && favorites[0].content.details.url == "https://puns.test/7")
        #expect(favorites[0].content.details.date == "2020-02-29T10:00:00Z")
        #expect(favorites.allSatisfy { $0.favoritedAt == Self.now && $0.id.rawValue.hasPrefix("imported:~") })
    }

    @Test("a fortune file with overstrikes, tabs, Windows line ends and no mark at its end is read correctly")
    func fortune() throws {
        let favorites = try read("%\nOne _\u{8}duck.\r\n%\r\n\n%\n\tTwo\n\t  -- ducks\n%\n% no mark\n%%\nneither")
        #expect(
            favorites.map(\.content.text) == [
                .single("One duck."), .single("Two\n  -- ducks"), .single("% no mark\n%%\nneither"),
            ])
        #expect(favorites.allSatisfy { $0.content.safety == .unknown })
    }
}
