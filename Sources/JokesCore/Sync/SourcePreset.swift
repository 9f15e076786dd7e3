/// A public service that can be configured by its name, because it needs no key and no other setting.
package struct SourcePreset: Hashable, Sendable {
    /// The name of the preset, which is also the name of its source.
    package let name: String
    /// A phrase for people.
    package let summary: String
    package let entry: SourceEntry

    /// Returns the preset with a name; nil if there is none.
    package static func named(_ name: String) -> SourcePreset? { all.first { $0.name == name } }

    /// All presets: first the types with a service of their own, then the others in alphabetical order.
    ///
    /// Each entry follows the public documentation of its service. A service rates its jokes if the summary says so.
    package static let all: [SourcePreset] =
        types + jokeAPILanguages
        + [
            // https://viewbits.com/docs/jester-api-documentation: without a key, a batch has 10 jokes.
            SourcePreset(
                "jester", "one-liners in English from viewbits.com, unrated",
                SourceEntry(
                    .json, url: "https://api.viewbits.com/v1/jester?mode=batch", language: "en", interval: "1d",
                    rate: SourceEntry.Rate(requests: 10, per: "1d"), strategy: .random,
                    map: [.text: "/text", .url: "/url"])),
            // https://github.com/sameerkumar18/geek-joke-api
            SourcePreset(
                "geek-jokes", "jokes for programmers in English, unrated",
                SourceEntry(
                    .json, url: "https://geek-jokes.sameerkumar.website/api?format=json", language: "en",
                    interval: "1d", strategy: .random, map: [.text: "/joke"])),
            // https://api.needs.management/api/documentation/jokes: 5 requests a minute for pages.
            SourcePreset(
                "needs-management", "jokes in English by category, unrated",
                SourceEntry(
                    .json, url: "https://api.needs.management/api/jokes/{page}", language: "en", interval: "1d",
                    rate: SourceEntry.Rate(requests: 5, per: "1m"), strategy: .page,
                    map: [.id: "/id", .text: "/joke", .categories: "/category"])),
            // https://github.com/hotheadhacker/no-as-a-service: 120 requests a minute.
            SourcePreset(
                "no-as-a-service", "reasons to say no in English, unrated",
                SourceEntry(
                    .json, url: "https://naas.isalman.dev/no", language: "en", interval: "1d", strategy: .random,
                    map: [.text: "/reason"])),
            // https://github.com/UltiRequiem/joke-api: a number at the end of the address is the size of the answer.
            SourcePreset(
                "deno-jokes", "questions and answers in English from joke.deno.dev, unrated",
                SourceEntry(
                    .json, url: "https://joke.deno.dev/10", language: "en", interval: "1d", strategy: .random,
                    map: [
                        .id: "/id", .setup: "/setup", .punchline: "/punchline", .categories: "/type",
                    ])),
            // https://insult.mattbas.org/api/
            SourcePreset(
                "insults", "insults in English from insult.mattbas.org, unrated",
                SourceEntry(
                    .json, url: "https://insult.mattbas.org/api/insult.json", language: "en", interval: "1d",
                    strategy: .random, map: [.text: "/insult"])),
        ].sorted { $0.name < $1.name }

    private static let types = [
        SourcePreset("official-joke-api", "two-part jokes in English, rated safe", SourceEntry(.officialJokeAPI)),
        SourcePreset("jokeapi", "jokes in English, rated by the service", SourceEntry(.jokeAPI)),
        SourcePreset("icanhazdadjoke", "dad jokes in English, rated safe", SourceEntry(.iCanHazDadJoke)),
        SourcePreset("chucknorris", "jokes about Chuck Norris in English, unrated", SourceEntry(.chuckNorris)),
    ]

    /// https://v2.jokeapi.dev/languages
    private static let jokeAPILanguages = [
        ("cs", "Czech"), ("de", "German"), ("es", "Spanish"), ("fr", "French"), ("pt", "Portuguese"),
    ].map { tag, name in
        let isRated = SourceKind.jokeAPI.traits.ratedLanguages.contains(tag)
        return SourcePreset(
            "jokeapi-\(tag)", "jokes in \(name) from JokeAPI, \(isRated ? "rated by the service" : "unrated")",
            SourceEntry(.jokeAPI, languages: [tag]))
    }

    private init(_ name: String, _ summary: String, _ entry: SourceEntry) {
        (self.name, self.summary, self.entry) = (name, summary, entry)
    }
}
