import JSON

/// Reads the items of a JSON answer in slices, so a long answer is never in memory as jokes: the elements of a list, or the
/// whole answer as one item.
package struct JSONSlices<Item: Sendable>: Sendable {
    private let read: @Sendable (JSONValue) -> Item?
    private var single: JSONValue?
    private var elements: JSONElements?
    /// Chosen elements instead of all.
    private var chosen: ArraySlice<JSONValue>?
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

    /// Reads these values.
    init(_ values: [JSONValue], read: @escaping @Sendable (JSONValue) -> Item?) {
        self.init(nil, count: values.count, read: read)
        chosen = values[...]
    }

    /// True if no item is left.
    var isAtEnd: Bool { single == nil && elements?.isAtEnd ?? true && chosen?.isEmpty ?? true }

    /// Reads the next slice, which may be empty. Returns nil after the last one.
    package mutating func next() -> [Item]? {
        if left == 0 || isAtEnd { return nil }
        var slice: [Item] = []
        var size = 0
        while left > 0, slice.count < SourceBatch.maxSliceCount, size < SourceBatch.maxSliceBytes,
            let value = nextValue()
        {
            size += value.json.count
            guard let item = read(value) else {
                refused += 1
                continue
            }
            if skipped > 0 {
                skipped -= 1
            } else {
                slice.append(item)
                left -= 1
            }
        }
        return slice
    }

    /// Reads all slices of an answer, and lets other work on this thread continue after each.
    mutating func forEach(of url: String, _ body: ([Item]) -> Void) async throws(SourceError) {
        while let slice = next() {
            body(slice)
            if isAtEnd { return }
            if Task.isCancelled { throw SourceError(.cancelled, "reading \(url) was canceled") }
            await Task.yield()
        }
    }

    private mutating func nextValue() -> JSONValue? {
        defer { single = nil }
        return single ?? chosen?.popFirst() ?? elements?.next()
    }
}
