import Glibc

/// How common phrases are: in how many they were of the newest jokes when a search began.
///
/// It gives the weights of the phrases, and says which beginnings of words the index is not asked about. It goes along
/// with the search from page to page, since both must stay as they are.
struct Commonness {
    /// So many of the newest jokes: enough to tell "the" from "duck".
    static let sampleSize = 250
    /// The index puts together the lists of all words that begin alike before it gives the first joke of them. From so
    /// many on it is quicker to look at the jokes.
    private static let manyBeginAlike = 8

    /// By the wanted phrases of the query.
    let counts: [Int]

    func isCommon(_ phrase: Int) -> Bool {
        counts[phrase] >= Self.manyBeginAlike
    }

    /// What a phrase weighs, the rarer the more: the inverse document frequency of BM25.
    var weights: [Double] {
        counts.map { count in log(1 + (Double(Self.sampleSize - count) + 0.5) / (Double(count) + 0.5)) }
    }
}

/// How well jokes fit what was searched for, by BM25.
///
/// Where that takes the average length of all texts, which changes with each joke that comes, this takes a fixed one: a
/// joke fits as well as it did for as long as it says the same.
struct Ranking {
    private static let usualLength = 20.0
    private static let saturation = 1.2
    private static let lengthShare = 0.75

    let weights: [Double]

    /// Of a joke that says each phrase so often, and has so many words.
    func fit(_ counts: [Int], length: Int) -> Int {
        let share = 1 - Self.lengthShare + Self.lengthShare * Double(length) / Self.usualLength
        var sum = 0.0
        for (count, weight) in zip(counts, weights) {
            sum += weight * Double(count) * (Self.saturation + 1) / (Double(count) + Self.saturation * share)
        }
        // A whole number, so that a cursor has no more of it than is compared.
        return Int(sum * 1_000_000)
    }
}
