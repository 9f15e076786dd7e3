import JokesCore
import TestSupport
import Testing

@testable import JokesControl

/// The properties of `Template` that need no other program; `TemplateReaderTests` has the others.
@Suite struct TemplateTests {
    private func check(_ name: String, _ property: (TemplateCase) throws -> Void) throws {
        try checkProperty(
            name, cases: 4000, maxSize: 12, generate: TemplateCase.make, shrink: \.simpler, property: property)
    }

    private func isSame(_ a: String, _ b: String) -> Bool {
        a.utf8.elementsEqual(b.utf8)
    }

    @Test("two templates in a row print the text of the first and then the text of the second")
    func pieces() throws {
        try check("pieces") { test in
            let (first, second) = (test.pieces.joined(), test.more.joined())
            let apart = try Template(first).text(of: test.joke) + Template(second).text(of: test.joke)
            let together = try Template(first + second).text(of: test.joke)
            try verify(isSame(together, apart), "\(together.debugDescription) instead of \(apart.debugDescription)")
        }
    }

    @Test("text outside of fields is printed unchanged, and the value of a field is not parsed")
    func words() throws {
        try checkProperty("words", cases: 4000) { random, size in
            (random.words(size), random.joke(size), random.words(size))
        } property: { before, joke, after in
            let printed = try Template("\(before){setup}\(after)").text(of: joke)
            let expected = before + joke.content.text.setup + after
            try verify(isSame(printed, expected), "\(printed.debugDescription) instead of \(expected.debugDescription)")
        }
    }

    @Test("the escape line keeps the words of the field and removes line feeds")
    func line() throws {
        try checkProperty("line", cases: 4000, generate: { $0.joke($1) }) { joke in
            let line = try Template("{text:line}").text(of: joke)
            let scalars = line.unicodeScalars
            try verify(scalars.allSatisfy { !$0.properties.isWhitespace || $0 == " " }, line.debugDescription)
            let words = try Template("{text}").text(of: joke).unicodeScalars.split(
                whereSeparator: \.properties.isWhitespace)
            try verify(scalars.split(separator: " ").map(Array.init) == words.map(Array.init), line.debugDescription)
        }
    }

    @Test("each of several escapes is applied to the result of the one before")
    func order() throws {
        try checkProperty("order", cases: 4000, generate: { ($0.joke($1), $0.field(), $0.field()) }) {
            joke, first, second in
            let escapes = second.dropFirst().dropLast().split(separator: ":").dropFirst().map(String.init)
            let once = try Template(first).text(of: joke)
            let expected = escapes.reduce(once) { text, name in
                Template.escapes.first { $0.name == name }?.value(text) ?? text
            }
            let chained = "\(first.dropLast())" + escapes.map { ":\($0)" }.joined() + "}"
            let printed = try Template(chained).text(of: joke)
            try verify(
                isSame(printed, expected),
                "\(chained): \(printed.debugDescription) instead of \(expected.debugDescription)")
        }
    }

    @Test("the output has no control characters except line feeds and the tabs of the template")
    func controlCharacters() throws {
        try check("control characters") { test in
            let printed = try Template(test.pieces.joined()).text(of: test.joke)
            let tabs = printed.unicodeScalars.count { $0 == "\t" }
            try verify(tabs == test.pieces.count { $0 == "{t}" }, "\(tabs) tabs in \(printed.debugDescription)")
            let isClean = printed.unicodeScalars.allSatisfy { !$0.isControl || $0 == "\t" || $0 == "\n" }
            try verify(isClean, printed.debugDescription)
        }
    }

    @Test("a template with an error is refused with the position of the first error")
    func refused() throws {
        let mistakes = [
            "{", "}", "{setpu}", "{text:jsn}", "{n:sh}", "{}", "{ id}", "{Id}", "{text:}", "\u{1B}", "\u{202E}",
            "{id\n",
        ]
        try checkProperty("refused", cases: 4000) { random, size in
            (random.template(size), mistakes[random.int(in: 0..<mistakes.count)], random.words(size))
        } property: { before, mistake, after in
            // The space keeps a brace from forming an escaped brace with the next character.
            let text = before.joined() + mistake + (mistake == "}" || mistake == "{" ? " " : "") + after
            let message = Result { () throws(ControlFailure) in try Template(text) }.failure?.message ?? ""
            let position = "character \(before.joined().count + 1) of the format"
            try verify(message.contains(position), "\(message) in \(text.debugDescription)")
        }
    }

    @Test(
        "an error names a similar field or escape, or lists all of them",
        arguments: [
            ("{setpu}", "unknown field '{setpu}' at character 1 of the format", "Did you mean '{setup}'?"),
            ("{text:jsn}", "unknown escape ':jsn' at character 1 of the format", "Did you mean ':json'?"),
            ("{text:zzzzzz}", "unknown escape ':zzzzzz'", "Escapes: :sh :json :line :pango :bar, or several: "),
            ("0123{zzzzzz}", "unknown field '{zzzzzz}' at character 5", "Fields: {setup} {punchline} "),
            ("{n:sh}", "'{n}' at character 1 of the format takes no escape", "Escapes: "),
            ("{{setup}}", "the format has no field", "Fields: {setup}"),
            ("{n}", "the format has no field", "{star}"),
            (#"{"text": {text:json}}"#, "the brace at character 1 of the format is not closed", "{{ or }}"),
            ("{text}}", "the brace at character 7 of the format closes no field", "{{ or }}"),
            ("{text}\u{1B}", "character 7 of the format is a control character", "{n} for a line feed"),
        ])
    func words(text: String, message: String, hint: String) throws {
        let error = #expect(throws: ControlFailure.self) { try Template(text) }
        let thrown = try #require(error)
        #expect(thrown.message.hasPrefix(message), "\(thrown.message)")
        #expect(thrown.hint?.contains(hint) == true, "\(thrown.hint ?? "")")
    }

    @Test("a field prints its part of the joke, or nothing if the joke lacks that part")
    func fields() throws {
        let content = JokeContent(
            text: .twoPart(setup: "Why?", punchline: "Because."), language: "en", categories: ["Pun", "Duck"],
            flags: [.nsfw, .sexist], safety: .unsafe,
            details: JokeDetails(url: "https://x.test", author: "Ann", date: "1999"))
        let favorite = Favorite(
            id: JokeID(rawValue: "mine:a:1"), content: content, favoritedAt: Timestamp(microseconds: 0), note: "for Bo")
        let expected = [
            "setup": "Why?", "punchline": "Because.", "text": "Why?\nBecause.", "id": "mine:a:1", "source": "mine",
            "language": "en", "categories": "Pun, Duck", "safety": "unsafe", "flags": "nsfw, sexist", "author": "Ann",
            "url": "https://x.test", "date": "1999", "note": "for Bo", "star": "★",
        ]
        for field in Template.fields.map(\.name) {
            #expect(try Template("{\(field)}").text(of: TemplateJoke(favorite)) == expected[field])
        }
        let bare = Joke(
            id: JokeID(rawValue: "mine:2"), content: JokeContent(text: .single("Hm.")), isFavorite: false,
            firstSeen: Timestamp(microseconds: 0))
        for field in ["punchline", "categories", "flags", "author", "url", "date", "note", "star"] {
            #expect(try Template("{\(field)}").text(of: TemplateJoke(bare)).isEmpty)
        }
        #expect(try Template("{text}{language}").text(of: TemplateJoke(bare)) == "Hm.und")
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
