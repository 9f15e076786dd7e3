import Diffable
import FoundationEssentials

/// The properties of two snapshots, their difference, and a malformed difference.
struct DifferenceProperties<ID: FuzzIdentifier> {
    private let old: Snapshot<ID>
    private let new: Snapshot<ID>
    private let good: Difference<ID>
    private let foreign: Difference<ID>
    private let patch: Patch<ID>
    private let travels: Bool

    init(from source: ByteSource) throws {
        var snapshot = Snapshot<ID>()
        snapshot.edit(from: source)
        old = snapshot
        snapshot.edit(from: source)
        let (isRebuilt, travels) = (source.int(below: 2) == 1, source.int(below: 16) == 1)
        self.travels = travels
        new = isRebuilt ? try Model(snapshot).snapshot() : snapshot
        good = try Difference(from: old, to: new)
        let decoder = ByteDecoder(source: source)
        foreign = try Difference(from: decoder)
        patch = Patch(
            sections: try ElementPatch(decodedBy: decoder), items: try ElementPatch(decodedBy: decoder),
            marks: foreign.marks)
    }

    func check() throws {
        try checkIsWhole(old)
        try checkIsWhole(new)
        try checkRoundTrip()
        try checkIsAppliedOrRefused(foreign)
        try checkIsAppliedOrRefused(Difference(sections: good.sections, items: foreign.items, marks: good.marks))
        try checkIsAppliedOrRefused(Difference(sections: foreign.sections, items: good.items, marks: good.marks))
        try checkIsAppliedOrRefused(patch)
        guard travels else { return }
        try checkRoundTrip(good)
        try checkRoundTrip(foreign)
    }

    private func checkRoundTrip() throws {
        let (result, back) = (try old.applying(good), try new.applying(good.inverse))
        try verify(Model(result).parts == Model(new).parts, "the difference does not lead to the new snapshot")
        try verify(Model(back).parts == Model(old).parts, "the inverse does not lead back")
        // Without the marks of inserted elements, and on the way back those of deleted elements.
        try verify(result.marks == new.marks(in: old) && back.marks == old.marks(in: new), "the marks are wrong")
        try holdListChanges(of: good, from: old, to: new)
        try verify(
            good.isEmpty == (Model(old) == Model(new)),
            "the difference is empty, or the snapshots are equal, but not both")
        try verify(try Difference(Patch(good), from: old) == good, "the patch gives another difference")
        let stateAlone = try Difference(from: try Model(old).snapshot(), to: try Model(new).snapshot())
        try verify(
            good.count == stateAlone.count, "\(good.count) changes after edits, \(stateAlone.count) from the states")
    }

    /// Checks that any difference is refused without a change, or leads to a valid snapshot, and that its inverse leads
    /// back.
    private func checkIsAppliedOrRefused(_ difference: Difference<ID>) throws {
        let before = Model(old)
        let dataSource = try DiffableDataSource(old)
        performAnyway(difference, on: old)
        let result: Snapshot<ID>
        do throws(DiffableError) {
            result = try old.applying(difference)
        } catch {
            try verify(Model(old) == before, "\(error), and the snapshot changed")
            return try verify(
                (try? dataSource.apply(difference)) == nil, "the data source accepts a refused difference")
        }
        try verify(Model(old) == before, "applying changed the old snapshot")
        try checkIsWhole(result)
        try holdListChanges(of: difference, from: old, to: result)
        try dataSource.apply(difference)
        try verify(Model(dataSource.snapshot()).parts == Model(result).parts, "the data source shows another snapshot")
        // Deleted or updated items may have any content and marks in a malformed difference.
        let back = Difference(sections: difference.sections, items: difference.items).inverse
        try verify(
            Model(try result.applying(back)).identifiers == before.identifiers, "the inverse does not lead back")
        let least = try Difference(from: old, to: result)
        try verify(Model(try old.applying(least)).parts == Model(result).parts, "the difference leads elsewhere")
        try verify(least.count <= difference.count, "\(least.count) changes, although \(difference.count) suffice")
    }

    private func checkIsAppliedOrRefused(_ patch: Patch<ID>) throws {
        let difference: Difference<ID>
        do throws(DiffableError) {
            difference = try Difference(patch, from: old)
        } catch {
            return
        }
        try verify((try? old.applying(difference)) != nil, "a patch was accepted, and its difference is refused")
        try checkIsAppliedOrRefused(difference)
    }

    private func checkRoundTrip(_ difference: Difference<ID>) throws {
        let json = try JSONEncoder().encode(difference)
        let decoded = try JSONDecoder().decode(Difference<ID>.self, from: json)
        try verify(decoded == difference, "the JSON decodes to another difference")
    }

    /// Checks that no identifier occurs twice, and that all lookups agree.
    private func checkIsWhole(_ snapshot: Snapshot<ID>) throws {
        let model = Model(snapshot)
        let rows = model.rows
        try verify(Set(rows.map(\.id)).count == rows.count, "an item occurs twice")
        try verify(Set(model.parts.map(\.header.id)).count == model.parts.count, "a section occurs twice")
        try verify(snapshot.numberOfItems == rows.count, "numberOfItems is wrong")
        try verify(snapshot.numberOfSections == model.parts.count, "numberOfSections is wrong")
        try verify(snapshot.itemIdentifiers == rows.map(\.id), "itemIdentifiers are not those of the sections")
        var index = 0
        for (section, part) in model.parts.enumerated() {
            try verify(snapshot.indexOfSection(part.header.id) == section, "indexOfSection is wrong")
            try verify(snapshot.section(for: part.header.id) == part.header, "section(for:) is wrong")
            for (item, row) in part.rows.enumerated() {
                let path = ItemIndexPath(section: section, item: item)
                try verify(snapshot.indexOfItem(row.id) == index, "indexOfItem is wrong")
                try verify(snapshot.indexPath(for: row.id) == path, "indexPath(for:) is wrong")
                try verify(snapshot.item(at: path) == row, "item(at:) is wrong")
                try verify(snapshot.item(for: row.id) == row, "item(for:) is wrong")
                try verify(
                    snapshot.sectionIdentifier(containingItem: row.id) == part.header.id,
                    "sectionIdentifier(containingItem:) is wrong")
                index += 1
            }
        }
    }
}

extension DiffableSnapshot {
    /// The marks of the elements that another snapshot has, too.
    fileprivate func marks(in other: DiffableSnapshot) -> SnapshotMarks<Section.ID, Item.ID> {
        SnapshotMarks(
            reloadedSections: marks.reloadedSections.filter(other.containsSection),
            reloadedItems: marks.reloadedItems.filter(other.contains),
            reconfiguredItems: marks.reconfiguredItems.filter(other.contains))
    }
}

extension ElementPatch where Position: Decodable, Element: Decodable, Element.ID: Decodable {
    fileprivate init(decodedBy decoder: ByteDecoder) throws {
        let changes = try ElementChanges<Position, Element>(from: decoder)
        self.init(
            deleted: changes.deleted.map(\.element.id), inserted: changes.inserted,
            moved: changes.moved.map { Move(id: $0.id, to: $0.to) }, updated: changes.updated.map(\.after))
    }
}
