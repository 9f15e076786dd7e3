extension SnapshotDifference {
    /// The new places of the sections and items of the old snapshot. To keep a selection or a scroll position, for example.
    public struct IndexMap: Sendable {
        private let sections: PlaceMap
        private let items: PlaceMap

        init(_ difference: SnapshotDifference) {
            func row(_ index: Int) -> ItemIndexPath { ItemIndexPath(section: 0, item: index) }
            let changes = difference.sections
            sections = PlaceMap(
                deleted: changes.deleted.map { row($0.position) }, inserted: changes.inserted.map { row($0.position) },
                moved: changes.moved.map { (row($0.from), row($0.to)) })
            items = PlaceMap(
                deleted: difference.items.deleted.map(\.position), inserted: difference.items.inserted.map(\.position),
                moved: difference.items.moved.map { ($0.from, $0.to) })
        }

        /// The new index of an old section; nil if the section is deleted. O(log k) for `k` changes
        public subscript(section: Int) -> Int? { sections.place(ofOld: .init(section: 0, item: section), in: 0)?.item }

        /// The new index path of an old item; nil if the item is deleted. O(log k) for `k` changes
        public subscript(path: ItemIndexPath) -> ItemIndexPath? {
            items.place(ofOld: path, in: self[path.section])
        }
    }
}

/// The new places of the rows of an old list.
private struct PlaceMap: Sendable {
    private let left: PlacedRows
    private let entered: PlacedRows
    private let moved: [ItemIndexPath: ItemIndexPath]

    init(
        deleted: [ItemIndexPath], inserted: [ItemIndexPath], moved: [(from: ItemIndexPath, to: ItemIndexPath)]
    ) {
        left = PlacedRows(deleted + moved.map(\.from))
        entered = PlacedRows(inserted + moved.map(\.to))
        self.moved = Dictionary(moved.map { ($0.from, $0.to) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the new place of a row, given the new index of its section; nil if the row is deleted.
    func place(ofOld path: ItemIndexPath, in section: Int?) -> ItemIndexPath? {
        if let place = moved[path] { return place }
        guard let section, !left.contains(path) else { return nil }
        return entered.place(section: section, rank: left.rank(of: path))
    }
}
