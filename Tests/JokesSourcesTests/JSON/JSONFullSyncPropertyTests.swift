import JokesCore
import JokesSources
import TestSupport
import Testing

/// A random service, and the configuration of its source.
private struct FullSyncCase: CustomStringConvertible {
    let strategy: JSONMapping.Strategy
    var size: Int
    var counts: [Int]
    let behindEnd: JSONCatalogServer.BehindEnd
    let hasTotals: Bool
    let hasGaps: Bool
    let nextStyle: String
    let limits: [Int?]

    init(_ random: inout SplitMix64, number: Int) {
        strategy = [.whole, .page, .range, .cursor][random.int(in: 0..<4)]
        size = random.int(in: 1..<9)
        counts = (0..<(random.chance(1, in: 3) ? random.int(in: 2..<4) : 1)).map { _ in random.int(in: 1..<30) }
        behindEnd = JSONCatalogServer.BehindEnd.allCases[random.int(in: 0..<3)]
        hasTotals = random.chance(1, in: 2)
        hasGaps = strategy == .range && hasTotals && random.chance(1, in: 2)
        nextStyle = ["cursor", "URL", "path"][random.int(in: 0..<3)]
        limits = (0..<4).map { _ in random.chance(1, in: 2) ? nil : random.int(in: 1..<12) }
    }

    var description: String {
        "\(strategy), size \(size), \(counts), \(behindEnd), totals \(hasTotals), gaps \(hasGaps), \(nextStyle), \(limits)"
    }

    var languages: [String] { counts.count == 1 ? [] : Array(["en", "de", "fr"].prefix(counts.count)) }

    /// The texts of each language by their positions.
    var catalogs: [[String?]] {
        counts.enumerated().map { language, count in
            (0..<count).map { position in
                // The first range must not be empty, nor the last position.
                hasGaps && position % 7 > 2 && position + 1 < count ? nil : "Joke \(language)-\(position)?"
            }
        }
    }

    var template: String {
        let lang = languages.isEmpty ? "" : "&lang={lang}"
        return switch strategy {
        case .whole, .random: "/jokes?x=1\(lang)"
        case .page: "/jokes?page={page}&size={limit}\(lang)"
        case .range: "/jokes?from={from}&to={to}&size={limit}\(lang)"
        case .cursor:
            nextStyle == "cursor" ? "/jokes?cursor={cursor}&size={limit}\(lang)" : "/jokes?size={limit}\(lang)"
        }
    }

    var mapping: JSONMapping {
        JokesSourcesTests.mapping {
            $0.strategy = strategy
            $0.size = size
            $0.first = strategy == .range ? 0 : 1
            $0.items = "/items"
            $0.fields[.text] = ["/t"]
            if strategy == .cursor { $0.next = "/next" }
            if strategy == .page && hasTotals { $0.pages = "/pages" }
            if strategy == .range && hasTotals { $0.total = "/total" }
        }
    }

    /// The number of requests of a full sync without interruptions.
    var requests: Int {
        counts.map { count in
            let pages = (count + size - 1) / size
            return switch strategy {
            case .whole, .random: 1
            case .cursor: pages
            case .range: hasTotals ? pages : pages + 1
            // A page that is shorter than the first is the last.
            case .page: hasTotals ? pages : count > size && count % size != 0 ? pages : pages + 1
            }
        }.reduce(0, +)
    }
}

@Suite struct JSONFullSyncPropertyTests {
    @Test(
        "an interrupted full sync returns each joke once, with the expected number of requests; the next sync has one"
    )
    func properties() async throws {
        let server = try JSONCatalogServer()
        for number in 0..<scaled(200) {
            var random = SplitMix64(seed: testSeed &+ UInt64(number) &* 0xD1B5_4A32_D192_ED03)
            let example = FullSyncCase(&random, number: number)
            let context = Comment(rawValue: "case \(number), JOKESD_TEST_SEED=\(testSeed): \(example)")
            server.change { state in
                state.catalogs = Dictionary(
                    uniqueKeysWithValues: zip(example.languages.isEmpty ? [""] : example.languages, example.catalogs))
                (state.behindEnd, state.hasTotals) = (example.behindEnd, example.hasTotals)
                state.nextStyle = example.nextStyle
            }
            let reader = { () throws in
                try Stage().json(server.server.url + example.template, languages: example.languages, example.mapping)
            }
            let (swept, position) = try await fullSync(reader, example.limits)
            let count = server.takeRequestCount()
            #expect(swept.sorted() == example.catalogs.flatMap { $0.compactMap(\.self) }.sorted(), context)
            if example.limits.allSatisfy({ $0 == nil }) { #expect(count == example.requests, context) }
            let second = try await reader().sync(from: position)
            #expect(second.map(\.progress) == [.unchanged] && server.takeRequestCount() == 1, context)
        }
    }

    /// Runs syncs with a limit until the full sync is complete, and returns its texts.
    private func fullSync(
        _ reader: () throws -> any JokeSource, _ limits: [Int?]
    ) async throws -> (texts: [String], end: SourcePosition) {
        var (position, texts) = (SourcePosition(), [String]())
        for turn in 0..<1000 {
            var left = limits[turn % limits.count]
            while true {
                let batch = try await reader().nextBatch(from: position, atMost: left)
                position = batch.position
                if batch.beginsFullSync { texts = [] }
                texts += batch.jokes.map(\.setup)
                if let limit = left { try #require(batch.jokes.count <= limit) }
                left = left.map { $0 - batch.jokes.count }
                if batch.progress == .complete { return (texts, position) }
                if batch.progress != .more || left == 0 { break }
            }
        }
        Issue.record("the full sync has no end")
        return (texts, position)
    }
}
