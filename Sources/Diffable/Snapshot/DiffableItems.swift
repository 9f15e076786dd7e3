/// The items of a snapshot, or of one of its sections, in order.
///
/// A view shares the storage of its snapshot. Creating a view takes O(1), an element O(log p), and the next element of an
/// iteration O(1) (see ``DiffableSnapshot`` for `p`).
public struct DiffableItems<Item: Identifiable & Equatable> where Item.ID: Sendable {
    @usableFromInline let table: ItemTable<Item>
    @usableFromInline let arrangement: Arrangement
    @usableFromInline let positions: Range<Int>

    @inlinable
    init<Section>(_ snapshot: DiffableSnapshot<Section, Item>, _ positions: Range<Int>) {
        table = snapshot.itemTable
        arrangement = snapshot.arrangement
        self.positions = positions
    }
}

extension DiffableItems: Sendable where Item: Sendable {}
extension DiffableItems.Iterator: Sendable where Item: Sendable {}

extension DiffableItems: CustomStringConvertible {
    /// The items, as those of an array. O(n)
    public var description: String { Array(self).description }
}

extension DiffableItems: RandomAccessCollection {
    /// The position of the first item, which is 0.
    @inlinable public var startIndex: Int { 0 }

    /// The position after the last item.
    @inlinable public var endIndex: Int { positions.count }

    /// The item at a position. O(log p)
    @inlinable
    public subscript(index: Int) -> Item {
        precondition(index >= 0 && index < positions.count, "index out of range")
        return table[arrangement.slot(atPosition: positions.lowerBound + index)]
    }

    /// Iterates over the items.
    @inlinable public func makeIterator() -> Iterator { Iterator(self) }

    /// An iterator over the items of a view.
    public struct Iterator: IteratorProtocol {
        @usableFromInline let items: DiffableItems
        @usableFromInline var positions: Range<Int>
        // The items of the current extent, and the indices of those that remain.
        @usableFromInline var elements: [Item] = []
        @usableFromInline var rest = 0..<0

        @inlinable
        init(_ items: DiffableItems) {
            self.items = items
            positions = items.positions
        }

        /// Returns the next item; nil after the last one.
        @inlinable
        public mutating func next() -> Item? {
            if rest.isEmpty {
                if positions.isEmpty { return nil }
                (elements, rest) = items.part(of: positions)
                positions = positions.dropFirst(rest.count)
            }
            defer { rest = rest.dropFirst() }
            return elements[rest.lowerBound]
        }
    }
}

extension DiffableItems {
    /// Returns the items at the first of some positions: the elements of a store, and a range of their indices. There
    /// must be a position.
    @inlinable
    func part(of positions: Range<Int>) -> (elements: [Item], indices: Range<Int>) {
        let slots = arrangement.slots(fromPosition: positions.lowerBound).prefix(positions.count)
        let (start, end) = (Int(slots.lowerBound), Int(slots.upperBound))
        guard let frozen = table.frozen else { return (table.own.elements, start..<end) }
        let border = Int(frozen.count)
        if start < border { return (frozen.elements, start..<Swift.min(end, border)) }
        return (table.own.elements, start - border..<end - border)
    }
}
