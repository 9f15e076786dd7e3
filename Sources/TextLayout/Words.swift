/// Returns the candidate that was most likely meant, with at most two typing errors, in fewer than half of its letters;
/// nil if there is none.
package func nearest(to word: String, among candidates: [String]) -> String? {
    let ranked = candidates.map { (candidate: $0, distance: distance(from: word, to: $0)) }
    let best = ranked.min { $0.distance < $1.distance }
    return best.flatMap { $0.distance <= 2 && $0.distance * 2 < $0.candidate.count ? $0.candidate : nil }
}

/// Returns the Damerau-Levenshtein distance.
private func distance(from a: String, to b: String) -> Int {
    let (a, b) = (Array(a.prefix(64)), Array(b))
    var rows = [Array(0...b.count)]
    for i in 0..<a.count {
        var row = [i + 1]
        for j in 0..<b.count {
            var cost = min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] { cost = min(cost, rows[i - 1][j - 1] + 1) }
            row.append(cost)
        }
        rows.append(row)
    }
    return rows[a.count][b.count]
}

extension [String] {
    /// Returns the words as a list in a sentence: `a, b or c`.
    package func joinedAsWords(_ conjunction: String) -> String {
        guard let last, count > 1 else { return first ?? "" }
        return "\(dropLast().joined(separator: ", ")) \(conjunction) \(last)"
    }
}
