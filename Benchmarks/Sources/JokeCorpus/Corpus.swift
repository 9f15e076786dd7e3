import Glibc
import Unix

/// Generated jokes, the same on every machine: ten to forty words each. The frequencies of the words are distributed as
/// in a natural language.
package enum Corpus {
    /// Writes this number of jokes in the format of fortune(6).
    ///
    /// Only a few of them are in memory at a time, so they do not count as memory of the reader.
    package static func write(_ count: Int, to path: String) throws {
        guard let file = fopen(path, "w") else { throw SystemError("write", path, code: errno) }
        defer { fclose(file) }
        forEach(count) { fputs($0 + "\n%\n", file) }
        if ferror(file) != 0 { throw SystemError("write", path, code: errno) }
    }

    /// Makes this number of jokes one by one. Every fiftieth repeats an earlier one with another case and punctuation.
    package static func forEach(_ count: Int, _ body: (String) throws -> Void) rethrows {
        var random = SplitMix64(state: 1)
        let vocabulary = vocabulary(8_000, &random)
        var recent: [String] = []
        for number in 0..<count {
            let text: String
            if number % 50 == 49 {
                text = recent[Int(random.next() % UInt64(recent.count))].uppercased() + "!"
            } else {
                text = self.text(vocabulary, &random)
                if recent.count < 1_000 { recent.append(text) } else { recent[number % 1_000] = text }
            }
            try body(text)
        }
    }

    /// The vocabulary, the most frequent words first.
    package static var vocabulary: [String] {
        var random = SplitMix64(state: 1)
        return vocabulary(8_000, &random)
    }

    private static func text(_ vocabulary: [String], _ random: inout SplitMix64) -> String {
        var text = ""
        var column = 0
        for number in 0..<10 + Int(random.next() % 31) {
            // The logarithm of the position of a word is uniformly distributed.
            let place = Int(exp(random.fraction() * log(Double(vocabulary.count)))) - 1
            let word = vocabulary[place]
            if number > 0 {
                text += column > 70 ? "\n" : number % 9 == 0 ? ", " : " "
                if column > 70 { column = 0 }
            }
            text += number == 0 ? word.prefix(1).uppercased() + word.dropFirst() : word
            column += word.utf8.count + 1
        }
        return text + "."
    }

    private static func vocabulary(_ count: Int, _ random: inout SplitMix64) -> [String] {
        let syllables =
            "ba be bi bo da du ef en fa go ha il ja ka la lu ma mo na no or pa qua re sa so ta ti un ve wi zo"
            .split(separator: " ")
        var words: Set<String> = []
        var inOrder: [String] = []
        while inOrder.count < count {
            let length = 1 + Int(random.next() % 4)
            let word = (0..<length).map { _ in syllables[Int(random.next() % UInt64(syllables.count))] }.joined()
            if words.insert(word).inserted { inOrder.append(word) }
        }
        return inOrder
    }
}

/// The generator SplitMix of Steele, Lea and Flood (2014).
package struct SplitMix64: RandomNumberGenerator {
    package var state: UInt64

    package init(state: UInt64) {
        self.state = state
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 to less than 1.
    package mutating func fraction() -> Double {
        Double(next() >> 11) / Double(1 << 53)
    }
}
