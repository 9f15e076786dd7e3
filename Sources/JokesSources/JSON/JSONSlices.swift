import JSON
import JokesCore

/// Reads the items of a JSON answer in slices: the elements of a list, or the whole answer as one item.
struct JSONSlices<Item: Sendable>: Sendable {
    private let read: @Sendable (JSONValue) -> Item?
    private var single: JSONValue?
    private var elements: JSONElements?
    private var skipped: Int
    /// The maximum number of items that are still to come.
    var left: Int
    /// The number of items so far that cannot be read.
    private(set) var refused = 0

    /// Reads at most `count` items after the first `skipped` ones. `read` returns nil for an item that cannot be read.
    init(
        _ items: JSONValue?, skipping skipped: Int = 0, count: Int = .max,
        read: @escaping @Sendable (JSONValue) -> Item?
    ) {
        (self.read, self.skipped, left) = (read, skipped, count)
        if items?.kind == .array { elements = items?.elements } else { single = items }
    }

    /// Whether no item is left.
    var isAtEnd: Bool { single == nil && elements?.isAtEnd ?? true }

    /// Reads the next slice, which may be empty. Returns nil after the last one.
    mutating func next() -> [Item]? {
        if left == 0 || isAtEnd { return nil }
        var slice: [Item] = []
        let end = (elements?.offset ?? 0) + SourceBatch.maxSliceBytes
        while left > 0, slice.count < SourceBatch.maxSliceCount, elements?.offset ?? 0 < end, let value = nextValue() {
            if let item = read(value) {
                if skipped > 0 {
                    skipped -= 1
                } else {
                    slice.append(item)
                    left -= 1
                }
            } else {
                refused += 1
            }
        }
        return slice
    }

    private mutating func nextValue() -> JSONValue? {
        if let value = single {
            single = nil
            return value
        }
        return elements?.next()
    }
}

extension JSONSlices: JokeSlices where Item == FetchedJoke {}
