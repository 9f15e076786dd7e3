import JokesCore
import TestSupport
import Testing

@testable import JokesControl

/// The laws of `Template`, by their numbers there, as far as no other program is needed to see them kept.
@Suite struct TemplateTests {
    private func check(_ name: String, _ law: (TemplateCase) throws -> Void) throws {
        try checkLaw(name, cases: 4000, maxSize: 12, generate: TemplateCase.make, shrink: \.simpler, law: law)
    }

    private func isSame(_ a: String, _ b: String) -> Bool {
        a.utf8.elementsEqual(b.utf8)
    }

    @Test("1: two templates side by side say what the one says and then what the other says")
    func pieces() throws {
        try check("pieces") { test in
            let (first, second) = (test.pieces.joined(), test.more.joined())
            let apart = try Template(first).text(of: test.joke) + Template(second).text(of: test.joke)
            let together = try Template(first + second).text(of: test.joke)
            try hold(isSame(together, apart), "\(together.debugDescription) and not \(apart.debugDescription)")
        }
    }

    @Test("2 and 3: words come out as they stand, and what a field holds is not read again")
    func words() throws {
        try checkLaw("words", cases: 4000) { random, size in
            (random.words(size), random.told(size), random.words(size))
        } law: { before, joke, after in
            let said = try Template("\(before){setup}\(after)").text(of: joke)
            let due = before + joke.content.text.setup + after
            try hold(isSame(said, due), "\(said.debugDescription) and not \(due.debugDescription)")
        }
    }

    @Test("4: a line has no line feed, and the words of the field")
    func line() throws {
        try checkLaw("line", cases: 4000, generate: { $0.told($1) }) { joke in
            let line = try Template("{text:line}").text(of: joke)
            let scalars = line.unicodeScalars
            try hold(scalars.allSatisfy { !$0.properties.isWhitespace || $0 == " " }, line.debugDescription)
            let words = try Template("{text}").text(of: joke).unicodeScalars.split(
                whereSeparator: \.properties.isWhitespace)
            try hold(scalars.split(separator: " ").map(Array.init) == words.map(Array.init), line.debugDescription)
        }
    }

    @Test("5: of several escapes each takes what the one before it made")
    func order() throws {
        try checkLaw("order", cases: 4000, generate: { ($0.told($1), $0.field(), $0.field()) }) { joke, first, second in
            let escapes = second.dropFirst().dropLast().split(separator: ":").dropFirst().map(String.init)
            let once = try Template(first).text(of: joke)
            let due = escapes.compactMap(Template.Escape.init).reduce(once) { $1.applied(to: $0) }
            let chained = "\(first.dropLast())" + escapes.map { ":\($0)" }.joined() + "}"
            let said = try Template(chained).text(of: joke)
            try hold(isSame(said, due), "\(chained): \(said.debugDescription) and not \(due.debugDescription)")
        }
    }

    @Test("6: no control character comes out but line feeds, and the tabs of the template")
    func controlCharacters() throws {
        try check("control characters") { test in
            let said = try Template(test.pieces.joined()).text(of: test.joke)
            let tabs = said.unicodeScalars.count { $0 == "\t" }
            try hold(tabs == test.pieces.count { $0 == "{t}" }, "\(tabs) tabs in \(said.debugDescription)")
            let isClean = said.unicodeScalars.allSatisfy { !$0.isControl || $0 == "\t" || $0 == "\n" }
            try hold(isClean, said.debugDescription)
        }
    }

    @Test("7: a mistake is refused with the place of the first one, whatever stands before and behind it")
    func refused() throws {
        let mistakes = [
            "{", "}", "{setpu}", "{text:jsn}", "{n:sh}", "{}", "{ id}", "{Id}", "{text:}", "\u{1B}", "\u{202E}",
            "{id\n",
        ]
        try checkLaw("refused", cases: 4000) { random, size in
            (random.template(size), mistakes[random.int(in: 0..<mistakes.count)], random.words(size))
        } law: { before, mistake, after in
            // A brace closes what the template's last piece did not leave open, and is no other's half.
            let text = before.joined() + mistake + (mistake == "}" || mistake == "{" ? " " : "") + after
            let place = Result { () throws(TemplateError) in try Template(text) }.failure?.place
            try hold(place == before.joined().count + 1, "place \(place ?? 0) in \(text.debugDescription)")
        }
    }

    @Test(
        "what was likely meant is said, and how it is done",
        arguments: [
            ("{setpu}", "unknown field '{setpu}' at character 1 of the format", "Did you mean '{setup}'?"),
            ("{text:jsn}", "unknown escape ':jsn' at character 1 of the format", "Did you mean ':json'?"),
            ("{text:zzzzzz}", "unknown escape ':zzzzzz'", "Escapes: :sh :json :line :pango, or several: "),
            ("0123{zzzzzz}", "unknown field '{zzzzzz}' at character 5", "Fields: {setup} {punchline} "),
            ("{n:sh}", "'{n}' at character 1 of the format takes no escape", "Escapes: "),
            ("{{setup}}", "the format has no field", "Fields: {setup}"),
            ("{n}", "the format has no field", "{star}"),
            (#"{"text": {text:json}}"#, "the brace at character 1 of the format is not closed", "{{ or }}"),
            ("{text}}", "the brace at character 7 of the format closes no field", "{{ or }}"),
            ("{text}\u{1B}", "character 7 of the format is a control character", "{n} for a line feed"),
        ])
    func words(text: String, message: String, hint: String) throws {
        let error = #expect(throws: TemplateError.self) { try Template(text) }
        let thrown = try #require(error)
        #expect(thrown.message.hasPrefix(message), "\(thrown.message)")
        #expect(thrown.hint.contains(hint), "\(thrown.hint)")
    }

    @Test("every field tells its own part of the joke, and nothing where there is none")
    func fields() throws {
        let content = JokeContent(
            text: .twoPart(setup: "Why?", punchline: "Because."), language: "en", categories: ["Pun", "Duck"],
            flags: [.nsfw, .sexist], safety: .unsafe, url: "https://x.test", author: "Ann", upstreamDate: "1999")
        let favorite = Favorite(
            id: JokeID(rawValue: "mine:a:1"), content: content, favoritedAt: Timestamp(microseconds: 0), note: "for Bo")
        let due: [Template.Field: String] = [
            .setup: "Why?", .punchline: "Because.", .text: "Why?\nBecause.", .id: "mine:a:1", .source: "mine",
            .language: "en", .categories: "Pun, Duck", .safety: "unsafe", .flags: "nsfw, sexist", .author: "Ann",
            .url: "https://x.test", .date: "1999", .note: "for Bo", .star: "★",
        ]
        for field in Template.Field.allCases {
            #expect(try Template("{\(field.rawValue)}").text(of: ToldJoke(favorite)) == due[field])
        }
        let bare = Joke(
            id: JokeID(rawValue: "mine:2"), content: JokeContent(text: .single("Hm.")), isStarred: false,
            firstSeen: Timestamp(microseconds: 0))
        let empty: [Template.Field] = [.punchline, .categories, .flags, .author, .url, .date, .note, .star]
        for field in empty { #expect(try Template("{\(field.rawValue)}").text(of: ToldJoke(bare)).isEmpty) }
        #expect(try Template("{text}{language}").text(of: ToldJoke(bare)) == "Hm.und")
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
