import JokesCore
import TestSupport
import Testing

@Suite("Real jokes", .enabled(if: RealJokes.isThere, Comment(rawValue: realDataSkipReason)))
struct RealJokesTests {
    @Test("of 2,767 jokes from all sources, none is refused, and 212 are duplicates in 177 groups")
    func allSources() throws {
        let jokes = try RealJokes.all().map { try $0.normalized() }
        #expect(jokes.map(\.count) == [451, 183, 30, 6, 1, 2, 1371, 530, 193])
        #expect(jokes.map { Set($0.map(\.fingerprint)).count } == [446, 183, 30, 6, 1, 2, 1358, 450, 193])
        let groups = Dictionary(grouping: jokes.joined(), by: \.fingerprint)
        #expect(groups.count == 2_555 && groups.count { $1.count > 1 } == 177)
    }

    @Test(
        "jokes with equal fingerprints differ only in contractions, and 99 % of nearly equal jokes have equal fingerprints"
    )
    func nearlyEqual() throws {
        var (near, joined) = (0, 0)
        for jokes in try Dictionary(grouping: RealJokes.all(), by: \.language).values {
            let jokes = try jokes.flatMap { try $0.normalized() }.map(Letters.init)
            // Nearly equal jokes nearly always have the same beginning.
            for alike in Dictionary(grouping: jokes, by: { $0.letters.prefix(12) }).values {
                for (number, first) in alike.enumerated() {
                    for second in alike[(number + 1)...] {
                        let isJoined = first.fingerprint == second.fingerprint
                        if isJoined { #expect(first.letters == second.letters) }
                        guard first.isNearlyEqual(to: second) else { continue }
                        near += 1
                        joined += isJoined ? 1 : 0
                    }
                }
            }
        }
        #expect(near > 200 && joined * 100 >= near * 99, "\(joined) of \(near)")
    }
}

/// The letters and digits of a joke, computed without the fingerprint.
private struct Letters {
    let fingerprint: Fingerprint
    let letters: [Character]
    private let trigrams: Set<[Character]>

    init(_ joke: NormalizedJoke) {
        fingerprint = joke.fingerprint
        let text = joke.content.text
        // This is the most common contraction. Others count as differences.
        letters = (text.setup + (text.punchline ?? "")).lowercased().replacing("what is ", with: "whats ")
            .filter { $0.isLetter || $0.isNumber }.map { $0 }
        let letters = letters
        trigrams = Set(letters.indices.dropLast(2).map { Array(letters[$0...($0 + 2)]) })
    }

    /// True if both have 97 of 100 triples of letters.
    func isNearlyEqual(to other: Letters) -> Bool {
        let common = trigrams.intersection(other.trigrams).count
        return common * 100 >= 97 * (trigrams.count + other.trigrams.count - common)
    }
}
