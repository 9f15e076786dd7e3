import Diffable

/// The properties of a data source after any calls, and of an observer that only gets the differences.
struct DataSourceProperties<ID: FuzzIdentifier> {
    private typealias DataSource = DiffableDataSource<Thing<ID>, Thing<ID>>

    private final class Follower {
        var snapshot = Snapshot<ID>()
        var failure: String?

        func follow(_ transaction: DiffableTransaction<Thing<ID>, Thing<ID>>) {
            do {
                snapshot = try snapshot.applying(transaction.difference)
                try verify(Model(snapshot) == Model(transaction.finalSnapshot), "the reported difference is wrong")
            } catch {
                failure = failure ?? "\(error)"
            }
        }
    }

    let source: ByteSource

    func check() throws {
        let dataSource = DataSource()
        let follower = Follower()
        dataSource.reorderingHandlers.canReorderItem = { $0.content < 3 }
        let observation = dataSource.observe(follower.follow)
        defer { observation.cancel() }
        for _ in 0..<source.int(below: 12) where !source.isAtEnd {
            let before = state(of: dataSource)
            do {
                try act(on: dataSource)
            } catch let error as DiffableError {
                try verify(state(of: dataSource) == before, "\(error), and the shown snapshot changed")
            }
            try verify(follower.failure == nil, follower.failure ?? "")
            try checkIsWhole(dataSource)
            let shown = Model(dataSource.snapshot())
            try verify(Model(follower.snapshot).parts == shown.parts, "a change was not reported to the observer")
        }
    }

    private func act(on dataSource: DataSource) throws {
        let shown = dataSource.snapshot()
        switch source.int(below: 10) {
        case 0: try dataSource.apply(edited(shown))
        case 1: try dataSource.update { $0 = edited($0) }
        case 2: try dataSource.applySnapshotUsingReloadData(edited(shown))
        case 3: try dataSource.apply(SnapshotDifference(from: shown, to: edited(shown)))
        case 4:
            guard let any = try? Difference<ID>(from: ByteDecoder(source: source)) else { return }
            try dataSource.apply(any)
        case 5:
            guard let any = try? DiffableSectionSnapshot<Thing<ID>>(from: ByteDecoder(source: source)) else { return }
            try dataSource.apply(any, to: shown.section(from: source))
        case 6: try dataSource.expand(shown.item(from: source))
        case 7: try dataSource.collapse(shown.item(from: source))
        case 8: try applyNew(to: dataSource)
        default: try dataSource.moveItem(at: anyPlace(in: shown), to: anyPlace(in: shown))
        }
    }

    /// Applies a snapshot that is built from the shown lists with a few changes. It may have duplicates.
    private func applyNew(to dataSource: DataSource) throws {
        let shown = dataSource.snapshot()
        var next = Snapshot<ID>()
        for section in shown.sections {
            var items = shown.items(inSection: section.id)
            for _ in 0..<source.int(below: 3) {
                let place = source.int(below: items.count + 1)
                if place < items.count, source.int(below: 2) == 0 {
                    items.remove(at: place)
                } else {
                    items.insert(Thing(id: ID(number: source.int(below: 50)), content: 0), at: place)
                }
            }
            try next.appendSections([section])
            try next.appendItems(items)
        }
        let isUnique = Set(next.itemIdentifiers).count == next.numberOfItems
        do {
            try dataSource.apply(next)
        } catch {
            try verify(!isUnique, "a snapshot without duplicates is refused: \(error)")
            throw error
        }
        try verify(isUnique, "a duplicate is shown")
        try verify(dataSource.snapshot().itemIdentifiers == next.itemIdentifiers, "another snapshot is shown")
    }

    private func edited(_ snapshot: Snapshot<ID>) -> Snapshot<ID> {
        var snapshot = snapshot
        // Other properties check refused edits.
        try? snapshot.edit(from: source)
        return snapshot
    }

    /// A position, usually that of an existing item.
    private func anyPlace(in snapshot: Snapshot<ID>) -> ItemIndexPath {
        let place = ItemIndexPath(section: source.anyInt(), item: source.anyInt())
        return snapshot.indexPath(for: snapshot.item(from: source)) ?? place
    }

    private struct Outline: Equatable {
        let header: Thing<ID>
        let items: DiffableSectionSnapshot<Thing<ID>>
    }

    private func state(of dataSource: DataSource) -> [Outline] {
        dataSource.snapshot().sections.map { Outline(header: $0, items: dataSource.snapshot(for: $0.id)) }
    }

    /// Checks that the visible items of the outlines are shown, and that no shown or hidden item occurs twice.
    private func checkIsWhole(_ dataSource: DataSource) throws {
        let shown = dataSource.snapshot()
        var all: [ID] = []
        for section in shown.sectionIdentifiers {
            let outline = dataSource.snapshot(for: section)
            try verify(outline.visibleItems == shown.items(inSection: section), "an outline has other visible items")
            all += outline.items.map(\.id)
        }
        try verify(Set(all).count == all.count, "an item is in two outlines, or twice in one")
        for (index, section) in shown.sectionIdentifiers.enumerated() {
            try verify(dataSource.index(for: section) == index, "index(for:) is wrong")
            try verify(dataSource.sectionIdentifier(for: index) == section, "sectionIdentifier(for:) is wrong")
        }
    }
}
