import Diffable
import TestSupport
import Testing

/// The invariants of a data source, and the meaning of each call, for sequences of random calls.
@Suite struct DataSourcePropertyTests {
    @Test("the visible items are shown, no item is in two sections, and the reported changes add up")
    func anySequence() throws {
        try checkProperty(
            "data source", cases: 1_200, maxSize: 24, generate: SourceSequence.random, shrink: { $0.shorter() },
            property: holdAlways)
    }

    /// A list of each section, with or without duplicates.
    private typealias Lists = [[Int]]

    @Test("a new snapshot is applied exactly if it has no duplicate, whatever is shown, and however it was built")
    func duplicates() throws {
        try checkProperty(
            "duplicates", cases: 2_000, maxSize: 12,
            generate: { random, size in
                var lists = [Array(0..<size), [], Array(size..<size + 3)]
                return (0..<6).map { _ in
                    for _ in 0..<random.int(in: 0..<4) {
                        let section = random.int(in: 0..<lists.count)
                        let place = random.int(in: 0..<lists[section].count + 1)
                        if random.chance(1, in: 2), place < lists[section].count {
                            lists[section].remove(at: place)
                        } else {
                            lists[section].insert(random.int(in: 0..<size + 8), at: place)
                        }
                    }
                    if random.chance(1, in: 2) { lists = Self.withoutDuplicates(lists) }
                    return lists
                }
            },
            shrink: shorter, property: holdRefusalOfDuplicates)
    }

    private static func withoutDuplicates(_ lists: Lists) -> Lists {
        var seen: Set<Int> = []
        return lists.map { $0.filter { seen.insert($0).inserted } }
    }

    private func holdRefusalOfDuplicates(_ versions: [Lists]) throws {
        let source = PlainSource()
        for (number, lists) in versions.enumerated() {
            var next = Snapshot<PlainIdentifier>()
            // The sections take turns in every second version.
            try next.appendSections(lists.indices.map { Row($0) })
            let rows = lists.indices.flatMap { section in lists[section].map { (section, $0) } }
            for (section, item) in number % 2 == 0 ? rows : rows.sorted(by: { $0.1 < $1.1 }) {
                try next.appendItems([Row(item)], toSection: PlainIdentifier(section))
            }
            let shown = source.snapshot()
            let hasDuplicate = lists != Self.withoutDuplicates(lists)
            do {
                try source.apply(next)
                try verify(!hasDuplicate, "a duplicate in \(lists) is shown")
                try verify(source.snapshot() == next, "\(lists) is not shown")
                // The program's own snapshot stays usable, and unique.
                try next.appendItems([Row(100 + number)], toSection: PlainIdentifier(0))
                try next.appendItems(lists.flatMap { $0 }.prefix(1).map { Row($0) }, toSection: PlainIdentifier(0))
                try verify(lists.allSatisfy(\.isEmpty) || (try? source.apply(next)) == nil, "a late duplicate is shown")
            } catch let error as DiffableError {
                try verify(hasDuplicate || error.operation == "appendItems", "\(lists) is refused: \(error)")
                try verify(error.code == .duplicateItem, "\(lists) is refused: \(error)")
            }
            try verify(hasDuplicate ? source.snapshot() == shown : true, "a refused snapshot changed the source")
            try source.snapshot().checkIdentifiers()
        }
    }

    private func holdAlways(_ sequence: SourceSequence) throws {
        let source = try PlainSource(try sequence.start.snapshot())
        source.reorderingHandlers.canReorderItem = { _ in true }
        var reported: [PlainTransaction] = []
        let observation = source.observe { reported.append($0) }
        defer { observation.cancel() }
        for step in sequence.steps {
            let before = Scene(source)
            reported = []
            do {
                try perform(step, on: source, before)
                try holdInvariants(source)
                try holdReported(reported, before, Scene(source))
            } catch {
                try verify(false, "\(step) on \(before.forests): \(error)")
            }
        }
    }
}

/// The meaning of a call.
private func perform(_ step: SourceStep, on source: PlainSource, _ before: Scene) throws {
    switch step {
    case .apply(let seed):
        let next = try SourceStep.next(of: before.snapshot, seed: seed).snapshot()
        try source.apply(next)
        try holdFollowed(before, Scene(source), next)
    case .applyDifference(let seed):
        let next = try SourceStep.next(of: before.snapshot, seed: seed).snapshot()
        try source.apply(SnapshotDifference(from: before.snapshot, to: next))
        try holdFollowed(before, Scene(source), next)
    case .reload(let seed):
        let next = try SourceStep.next(of: before.snapshot, seed: seed).snapshot()
        try source.applySnapshotUsingReloadData(next)
        try holdFollowed(before, Scene(source), next)
    case .outline(let forest, let section):
        try apply(forest, to: PlainIdentifier(section), of: source, before)
    case .edit(let edit, let section):
        var forest = before.forests[PlainIdentifier(section)] ?? Forest()
        do { try edit.perform(on: &forest) } catch { return }
        try apply(forest, to: PlainIdentifier(section), of: source, before)
    case .expand(let number): try toggle(number, true, of: source, before)
    case .collapse(let number): try toggle(number, false, of: source, before)
    case .move(let seed):
        let (from, to) = SourceStep.move(of: before.snapshot, seed: seed)
        try move(from, to, of: source, before)
    }
}

private func apply(
    _ forest: PlainForest, to section: PlainIdentifier, of source: PlainSource, _ before: Scene
) throws {
    var others = before.forests
    let old = others.removeValue(forKey: section)
    let taken = Set(others.values.flatMap(\.rows).map(\.id))
    let culprit = forest.rows.map(\.id).first(where: taken.contains)
    do {
        try source.apply(try forest.snapshot(), to: section)
        try verify(old != nil && culprit == nil, "\(forest) was accepted in \(section)")
        others[section] = forest
        try verify(Scene(source).forests == others, "\(forest) in \(section) gave \(Scene(source).forests)")
    } catch let error as DiffableError {
        let code: DiffableError.Code = old == nil ? .unknownSection : .duplicateItem
        let named = error.identifier as? PlainIdentifier
        try verify(error.code == code && named == (old == nil ? section : culprit), "\(forest) in \(section): \(error)")
        try verify(Scene(source) == before, "\(error) changed something")
    }
}

private func toggle(_ number: Int, _ isExpanded: Bool, of source: PlainSource, _ before: Scene) throws {
    var expected = before.forests
    do {
        let id = PlainIdentifier(number)
        if isExpanded { try source.expand(id) } else { try source.collapse(id) }
        let section = try #require(before.section(of: id), "\(number) is not there and was expanded or collapsed")
        let path = try #require(expected[section]?.path(to: number))
        expected[section]?.edit(siblingsAt: path) { $0[path[path.count - 1]].isExpanded = isExpanded }
    } catch let error as DiffableError {
        try verify(error.code == .unknownItem && before.section(of: PlainIdentifier(number)) == nil, "\(error)")
    }
    try verify(Scene(source).forests == expected, "\(number) gave \(Scene(source).forests)")
}

private func move(_ from: ItemIndexPath, _ to: ItemIndexPath, of source: PlainSource, _ before: Scene) throws {
    var lists = before.snapshot.sectionIdentifiers.map { before.snapshot.items(inSection: $0) }
    let isThere = lists.indices.contains(from.section) && lists[from.section].indices.contains(from.item)
    let id = isThere ? lists[from.section][from.item].id : nil
    let branch = id.flatMap(before.branch)
    let block = branch?.visibleRows ?? []
    if isThere { lists[from.section].removeSubrange(from.item..<from.item + block.count) }
    let fits = lists.indices.contains(to.section) && (0...lists[to.section].count).contains(to.item)
    do {
        try source.moveItem(at: from, to: to)
        try verify(isThere && fits, "the move from \(from) to \(to) was accepted")
        lists[to.section].insert(contentsOf: block, at: to.item)
        let after = Scene(source)
        let result = after.snapshot.sectionIdentifiers.map { after.snapshot.items(inSection: $0) }
        try verify(result == lists, "moving \(from) to \(to) gave \(result), not \(lists)")
        try verify(
            id.flatMap(after.branch) == branch, "the moved branch is \(String(describing: id.flatMap(after.branch)))")
        try holdFollowed(before, after, after.snapshot, moved: from == to ? [] : Set(block.map(\.id)))
    } catch let error as DiffableError {
        try verify(error.code == .positionOutOfRange && !(isThere && fits), "\(from) to \(to): \(error)")
        try verify(Scene(source) == before, "\(error) changed something")
    }
}

/// A whole snapshot has the visible items. The outlines follow from the documented rules.
private func holdFollowed(
    _ before: Scene, _ after: Scene, _ snapshot: PlainSnapshot, moved known: Set<PlainIdentifier>? = nil
) throws {
    try verify(Model(after.snapshot).parts == Model(snapshot).parts, "\(after.snapshot) is shown")
    let difference = try SnapshotDifference(from: before.snapshot, to: snapshot)
    let moved = known ?? Set(difference.items.moved.map(\.id))
    let stayers = Set(snapshot.itemIdentifiers.filter { before.snapshot.contains($0) && !moved.contains($0) })
    for id in stayers {
        let expected = before.ancestors(of: id).first(where: stayers.contains)
        try verify(
            after.parent(of: id) == expected, "\(id) stayed, and is under \(String(describing: after.parent(of: id)))")
        try verify(
            after.branch(id)?.isExpanded == before.branch(id)?.isExpanded, "\(id) stayed, and changed its expansion")
    }
    for id in before.hidden where !snapshot.contains(id) {
        // The new parent is the nearest visible ancestor, or one that has become visible.
        let cover = before.ancestors(of: id).first { before.snapshot.contains($0) || snapshot.contains($0) }
        let isKept = cover.map(snapshot.contains) ?? false
        try verify(
            (after.section(of: id) != nil) == isKept,
            "hidden \(id) is \(isKept ? "gone" : "still there"): \(after.forests)")
        try verify(!isKept || after.parent(of: id) == before.parent(of: id), "hidden \(id) has another parent")
    }
    for section in snapshot.sectionIdentifiers { try holdArrivals(in: section, before, after, snapshot, stayers) }
}

private func holdArrivals(
    in section: PlainIdentifier, _ before: Scene, _ after: Scene, _ snapshot: PlainSnapshot,
    _ stayers: Set<PlainIdentifier>
) throws {
    let ids = snapshot.itemIdentifiers(inSection: section)
    for (index, id) in ids.enumerated() where !stayers.contains(id) {
        let limit = ids[index...].first(where: stayers.contains).flatMap(after.parent)
        var possible: [PlainIdentifier?] = [nil]
        if index > 0 {
            let previous = ids[index - 1]
            if after.branch(previous)?.isExpanded == true { possible.insert(previous, at: 0) }
            possible.insert(contentsOf: after.ancestors(of: previous).map { $0 }, at: possible.count - 1)
        }
        let legal = possible.prefix(through: try #require(possible.firstIndex(of: limit)))
        let wanted = before.snapshot.contains(id) ? before.parent(of: id) : nil
        let expected = legal.contains(wanted) ? wanted : limit
        try verify(
            after.parent(of: id) == expected, "the new parent of \(id) is \(String(describing: after.parent(of: id)))")
    }
}

private func holdInvariants(_ source: PlainSource) throws {
    var all: [PlainIdentifier] = []
    for section in source.snapshot().sectionIdentifiers {
        let outline = source.snapshot(for: section)
        try verify(outline.visibleItems == source.snapshot().items(inSection: section), "the visible items are wrong")
        try verify(outline == Forest(outline).snapshot(), "the value differs from one built by appending")
        all += outline.items.map(\.id)
    }
    try verify(Set(all).count == all.count, "an item is in two sections: \(all)")
    try verify(source.snapshot().marks.isEmpty, "marks stay")
}

/// Each call reports at most one change, which leads from the previous snapshot to the shown one.
private func holdReported(_ reported: [PlainTransaction], _ before: Scene, _ after: Scene) throws {
    guard let transaction = reported.first else { return try verify(before == after, "a change was not reported") }
    try verify(reported.count == 1, "\(reported.count) changes were reported")
    try verify(transaction.initialSnapshot == before.snapshot, "the initial snapshot is wrong")
    try verify(Model(transaction.finalSnapshot).parts == Model(after.snapshot).parts, "the final snapshot is wrong")
    let result = try transaction.initialSnapshot.applying(transaction.difference)
    try verify(result == transaction.finalSnapshot, "the difference leads to another snapshot")
    if before == after {
        let isWanted = transaction.usesReloadData || !transaction.finalSnapshot.marks.isEmpty
        try verify(isWanted, "a change was reported without a difference")
    }
    let sections = transaction.sectionTransactions
    let changed = Set(before.forests.keys).union(after.forests.keys).filter { id in
        (before.forests[id] ?? Forest()) != (after.forests[id] ?? Forest())
    }
    try verify(Set(sections.map(\.sectionIdentifier)) == changed, "reported \(sections.map(\.sectionIdentifier))")
    try verify(sections.count == changed.count, "a section was reported twice")
    for one in sections {
        let id = one.sectionIdentifier
        try verify(Forest(one.initialSnapshot) == before.forests[id] ?? Forest(), "section \(id) had another outline")
        try verify(Forest(one.finalSnapshot) == after.forests[id] ?? Forest(), "section \(id) has another outline")
        let result = one.initialSnapshot.visibleItems.applying(one.difference)
        try verify(result == one.finalSnapshot.visibleItems, "section \(id) becomes \(String(describing: result))")
    }
}
