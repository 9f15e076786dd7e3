/// Flags the members of one longest strictly increasing subsequence of `values`, which are distinct.
///
/// Patience sorting with links back: O(k log k), O(k) where the values increase already; no recursion.
func longestIncreasingSubsequence(of values: [Int]) -> [Bool] {
    // tails[l]: where the smallest value stands that ends an increasing subsequence of l + 1 values.
    var tails: [Int] = []
    var previous = Array(repeating: -1, count: values.count)
    for (index, value) in values.enumerated() {
        var length = tails.count
        if let last = tails.last, values[last] > value {
            length = firstTail(in: tails, notBelow: value, of: values)
        }
        if length > 0 { previous[index] = tails[length - 1] }
        if length == tails.count { tails.append(index) } else { tails[length] = index }
    }
    var kept = Array(repeating: false, count: values.count)
    var index = tails.last ?? -1
    while index >= 0 {
        kept[index] = true
        index = previous[index]
    }
    return kept
}

private func firstTail(in tails: [Int], notBelow value: Int, of values: [Int]) -> Int {
    var low = 0
    var high = tails.count
    while low < high {
        let middle = (low + high) / 2
        if values[tails[middle]] < value { low = middle + 1 } else { high = middle }
    }
    return low
}
