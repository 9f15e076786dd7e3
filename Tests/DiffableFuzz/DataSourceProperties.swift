import Diffable
import DiffableOutlines

/// The properties of a data source after any calls, of an observer that only gets the differences, and of one that makes
/// changes itself.
struct DataSourceProperties<ID: FuzzIdentifier> {
    private typealias DataSource = DiffableDataSource<Thing<ID>, Thing<ID>>
    private typealias Transaction = DiffableTransaction<Thing<ID>, Thing<ID>>

    private final class Follower {
        var snapshot = Snapshot<ID>()
        var failure: String?

        func follow(_ transaction: Transaction) {
            do {
                let difference = transaction.difference
                try verify(Model(snapshot) == Model(transaction.initialSnapshot), "the initial snapshot is another one")
                try holdListChanges(of: difference, from: snapshot, to: transaction.finalSnapshot)
                snapshot = try snapshot.applying(difference)
                try verify(Model(snapshot) == Model(transaction.finalSnapshot), "the reported difference is wrong")
                snapshot = try Model(parts: Model(snapshot).parts).snapshot()
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
        let observations = [
            dataSource.observe { [unowned dataSource] in
                do { try react(to: $0, on: dataSource) } catch { follower.failure = "\(error)" }
            }, dataSource.observe(follower.follow),
        ]
        defer { for observation in observations { observation.cancel() } }
        for _ in 0..<source.int(below: 12) where !source.isAtEnd {
            let before = Model(dataSource.snapshot())
            do {
                try act(on: dataSource)
            } catch let error as DiffableError {
                try verify(Model(dataSource.snapshot()) == before, "\(error), and the shown snapshot changed")
            }
            try verify(follower.failure == nil, follower.failure ?? "")
            let shown = dataSource.snapshot()
            try shown.validate()
            try verify(Model(follower.snapshot) == Model(shown), "a change was not reported to the observer")
            for (index, section) in shown.sectionIdentifiers.enumerated() {
                try verify(dataSource.index(for: section) == index, "index(for:) is wrong")
                try verify(dataSource.sectionIdentifier(for: index) == section, "sectionIdentifier(for:) is wrong")
            }
        }
    }

    private func act(on dataSource: DataSource) throws {
        let shown = dataSource.snapshot()
        switch source.int(below: 8) {
        case 0: try dataSource.apply(edited(shown))
        case 1: try dataSource.update { $0 = edited($0) }
        case 2: try dataSource.applySnapshotUsingReloadData(edited(shown))
        case 3: try dataSource.apply(SnapshotDifference(from: shown, to: edited(shown)))
        case 4:
            guard let any = try? Difference<ID>(from: ByteDecoder(source: source)) else { return }
            try dataSource.apply(any)
        case 5:
            guard let any = try? DiffableSectionSnapshot<Thing<ID>>(from: ByteDecoder(source: source)) else { return }
            let section: ID = shown.section(from: source)
            var next = shown
            if (try? next.replaceItems(inSection: section, with: any.visibleItems)) != nil {
                try verify(Array(next[section]) == any.visibleItems, "the section has other items")
            }
            try dataSource.apply(any, to: section)
        case 6: try applyNew(to: dataSource)
        default: try dataSource.moveItem(at: anyPlace(in: shown), to: anyPlace(in: shown))
        }
    }

    /// Sometimes makes changes within an observer: from the current snapshot, or from the reported one. The latter must not
    /// undo an earlier change.
    private func react(to transaction: Transaction, on dataSource: DataSource) throws {
        for _ in 0..<source.int(below: 8) / 5 where !source.isAtEnd {
            let shown = Model(dataSource.snapshot())
            let next = edited(source.int(below: 2) == 0 ? dataSource.snapshot() : transaction.finalSnapshot)
            do {
                try dataSource.apply(next)
                try verify(Model(dataSource.snapshot()).parts == Model(next).parts, "another snapshot is shown")
            } catch let error as DiffableError {
                try verify(Model(dataSource.snapshot()) == shown, "\(error), and the shown snapshot changed")
                guard error.code == .staleSnapshot else { continue }
                try verify(shown.parts != Model(transaction.finalSnapshot).parts, "the newest snapshot is stale")
            }
        }
    }

    /// Applies a snapshot that is built from the shown lists with a few changes. It may have duplicates.
    private func applyNew(to dataSource: DataSource) throws {
        let shown = dataSource.snapshot()
        var next = Snapshot<ID>()
        for section in shown.sections {
            var items = Array(shown[section.id])
            for _ in 0..<source.int(below: 3) {
                let place = source.int(below: items.count + 1)
                if place < items.count, source.int(below: 2) == 0 {
                    items.remove(at: place)
                } else {
                    items.insert(Thing(id: ID(number: source.int(below: 50)), content: 0), at: place)
                }
            }
            next.appendSections([section])
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
}
