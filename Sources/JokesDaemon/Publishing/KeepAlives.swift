import Unix

/// When who is to be told that nothing has changed. Pure; one timer serves all.
struct KeepAlives {
    private struct Wish {
        let interval: Duration
        var due: BootInstant
    }

    private var wishes: [Int: Wish] = [:]

    /// A subscriber wants to hear something that often.
    mutating func add(_ number: Int, every interval: Duration, from now: BootInstant) {
        wishes[number] = Wish(interval: interval, due: now.advanced(by: interval))
    }

    /// A subscriber was told something, or could not be.
    mutating func reset(_ number: Int, at now: BootInstant) {
        guard let interval = wishes[number]?.interval else { return }
        wishes[number]?.due = now.advanced(by: interval)
    }

    mutating func remove(_ number: Int) {
        wishes[number] = nil
    }

    /// Whether the subscriber has such a wish.
    func has(_ number: Int) -> Bool {
        wishes[number] != nil
    }

    /// When the first of them is due; nil where nobody wants it. O(n)
    var next: BootInstant? {
        wishes.values.lazy.map(\.due).min()
    }

    /// Those who are due, in the order in which they came. O(n)
    func due(at now: BootInstant) -> [Int] {
        wishes.filter { $0.value.due <= now }.keys.sorted()
    }
}
