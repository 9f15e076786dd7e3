import Diffable
import DiffableOutlines
import TestSupport
import Testing

private enum Kind { case first, second, third }

private typealias KindSnapshot = HashableSnapshot<Kind, String>
private typealias KindOutline = HashableSectionSnapshot<String>
private typealias KindSource = HashableDataSource<Kind, String>

/// The documented semantics of UIKit's diffable data sources, in our own words. "Differs:" marks those that Diffable
/// changes; the article "Coming from UIKit" lists them.
@Suite struct UIKitSemanticsTests {
    fileprivate struct Case: CustomTestStringConvertible {
        let claim: String
        let check: @Sendable () throws -> Bool

        init(_ claim: String, _ check: @escaping @Sendable () throws -> Bool) {
            (self.claim, self.check) = (claim, check)
        }

        var testDescription: String { claim }
    }

    @Test("Diffable follows the documented semantics of UIKit", arguments: snapshotCases + sourceCases + outlineCases)
    fileprivate func semantics(_ semantics: Case) throws { #expect(try semantics.check()) }

    private static let snapshotCases = [
        Case("a new snapshot is empty") { KindSnapshot().numberOfItems == 0 && KindSnapshot().numberOfSections == 0 },
        Case("sections are appended in order") {
            try some([.second, .first]).sectionIdentifiers == [.second, .first]
        },
        Case("items without a section go to the last one") {
            var snapshot = try some([.first, .second])
            try snapshot.appendItems(["a"])
            return snapshot.itemIdentifiers(inSection: .second) == ["a"]
        },
        Case("items are appended to a named section") {
            try example().itemIdentifiers(inSection: .first) == ["a", "b"]
        },
        Case("without a section, items are refused; differs: by an error") {
            fails(.noSections) { snapshot in try snapshot.appendItems(["a"]) }
        },
        Case("sections are inserted before and after another") {
            var snapshot = try some([.second])
            try snapshot.insertSections([.first], beforeSection: .second)
            try snapshot.insertSections([.third], afterSection: .second)
            return snapshot.sectionIdentifiers == [.first, .second, .third]
        },
        Case("items are inserted before and after another, in its section") {
            var snapshot = try example()
            try snapshot.insertItems(["x"], beforeItem: "b")
            try snapshot.insertItems(["y"], afterItem: "c")
            return snapshot.itemIdentifiers == ["a", "x", "b", "c", "y"]
                && snapshot.itemIdentifiers(inSection: .second) == ["c", "y"]
        },
        Case("a deleted section takes its items with it") {
            var snapshot = try example()
            try snapshot.deleteSections([.first])
            return snapshot.itemIdentifiers == ["c"] && snapshot.sectionIdentifiers == [.second]
        },
        Case("deleted items are gone, and their section stays") {
            var snapshot = try example()
            try snapshot.deleteItems(["c"])
            return snapshot.itemIdentifiers == ["a", "b"] && snapshot.numberOfSections == 2
        },
        Case("unknown items cannot be deleted; differs: an error instead of nothing") {
            fails(.unknownItem) { snapshot in try snapshot.deleteItems(["missing"]) }
        },
        Case("all items are deleted with all sections, so that sections can be appended again") {
            var snapshot = try example()
            snapshot.deleteAllItems()
            snapshot.appendSections([.first])
            return snapshot.numberOfItems == 0 && snapshot.sectionIdentifiers == [.first]
        },
        Case("a section moves with its items") {
            var snapshot = try example()
            try snapshot.moveSection(.first, afterSection: .second)
            return snapshot.itemIdentifiers == ["c", "a", "b"]
        },
        Case("an item moves before another, also to another section") {
            var snapshot = try example()
            try snapshot.moveItem("a", beforeItem: "c")
            return snapshot.itemIdentifiers(inSection: .second) == ["a", "c"]
        },
        Case("an item moves after another") {
            var snapshot = try example()
            try snapshot.moveItem("a", afterItem: "b")
            return snapshot.itemIdentifiers == ["b", "a", "c"]
        },
        Case("items and sections are counted") {
            let snapshot = try example()
            return snapshot.numberOfItems == 3 && snapshot.numberOfSections == 2
                && snapshot.numberOfItems(inSection: .first) == 2
        },
        Case("an unknown section has no items; differs: instead of an exception") {
            let snapshot = try example()
            return snapshot.numberOfItems(inSection: .third) == 0 && snapshot.itemIdentifiers(inSection: .third) == []
        },
        Case("item identifiers are listed in the order of the sections") {
            try example().itemIdentifiers == ["a", "b", "c"]
        },
        Case("the section of an item is found, and nil for an unknown item") {
            let snapshot = try example()
            return snapshot.sectionIdentifier(containingItem: "c") == .second
                && snapshot.sectionIdentifier(containingItem: "missing") == nil
        },
        Case("the index of an item counts the items of all sections before it") {
            try example().indexOfItem("c") == 2 && example().indexOfItem("missing") == nil
        },
        Case("the index of a section is found, and nil for an unknown one") {
            try example().indexOfSection(.second) == 1 && example().indexOfSection(.third) == nil
        },
        Case("an item that exists is appended again; differs: apply refuses the duplicate, instead of a move") {
            var snapshot = try example()
            try snapshot.appendItems(["x", "a"], toSection: .second)
            let source = try source()
            do throws(DiffableError) { try source.apply(snapshot) } catch {
                return try error.identifier as? String == "a" && source.snapshot() == example()
                    && error.indexPaths == [.init(section: 0, item: 0), .init(section: 1, item: 2)]
            }
            return false
        },
        Case("a second section with an identifier is refused; differs: by an error of apply") {
            var snapshot = try example()
            snapshot.appendSections([.third, .first])
            let source = try source()
            do throws(DiffableError) { try source.apply(snapshot) } catch {
                return error.code == .duplicateSection && error.sectionIndices == [0, 3]
            }
            return false
        },
        Case("a literal is the same snapshot") {
            try example() == KindSnapshot([(.first, ["a", "b"]), (.second, ["c"])])
        },
        Case("marked items are listed") {
            var snapshot = try example()
            try snapshot.reloadItems(["b"])
            try snapshot.reconfigureItems(["c"])
            return snapshot.reloadedItemIdentifiers == ["b"] && snapshot.reconfiguredItemIdentifiers == ["c"]
        },
        Case("unknown items cannot be marked; differs: an error") {
            fails(.unknownItem) { snapshot in try snapshot.reconfigureItems(["missing"]) }
        },
        Case("marked sections are listed") {
            var snapshot = try example()
            try snapshot.reloadSections([.second])
            return snapshot.reloadedSectionIdentifiers == [.second]
        },
        Case("a copy of a snapshot does not change with the original") {
            var snapshot = try example()
            let copy = snapshot
            try snapshot.deleteItems(["a"])
            return copy.numberOfItems == 3
        },
    ]

    private static let sourceCases = [
        Case("a new data source shows nothing") { KindSource().snapshot().numberOfItems == 0 },
        Case("the current snapshot is a copy, whose edits are shown when it is applied") {
            let source = try source()
            var snapshot = source.snapshot()
            try snapshot.deleteItems(["a"])
            let before = source.snapshot().numberOfItems
            try source.apply(snapshot)
            return before == 3 && source.snapshot().numberOfItems == 2
        },
        Case("only changes are reported, and nothing if nothing changes") {
            try changes { source in
                try source.apply(try example())
                try source.update { try $0.appendItems(["d"]) }
            } == [1]
        },
        Case("changed content is reported without a mark; differs: UIKit needs reconfigureItems") {
            let source = DiffableDataSource<HashableElement<Kind>, Row<PlainIdentifier>>()
            try source.update { $0.appendSections([.first]) }
            try source.update { try $0.appendItems([Row(1, content: 1)]) }
            var updates = 0
            let observation = source.observe { updates += $0.difference.items.updated.count }
            try source.update { try $0.replace(Row(1, content: 2)) }
            observation.cancel()
            return updates == 1
        },
        Case("a snapshot is applied by reloading, without a comparison") {
            let source = try source()
            var isReload = false
            let observation = source.observe { isReload = $0.usesReloadData }
            try source.applySnapshotUsingReloadData(try some([.third]))
            observation.cancel()
            return isReload && source.snapshot().sectionIdentifiers == [.third]
        },
        Case("an index path leads to an item and back; nil for what is not shown") {
            let source = try source()
            let path = ItemIndexPath(section: 1, item: 0)
            return source.itemIdentifier(for: path) == "c" && source.indexPath(for: "c") == path
                && source.itemIdentifier(for: ItemIndexPath(section: 1, item: 1)) == nil
                && source.indexPath(for: "missing") == nil
        },
        Case("an index leads to a section and back; nil for what is not shown") {
            let source = try source()
            return source.sectionIdentifier(for: 1) == .second && source.index(for: .second) == 1
                && source.sectionIdentifier(for: 2) == nil && source.index(for: .third) == nil
        },
        Case("marks belong to one change: the current snapshot has none") {
            let source = try source()
            try source.update { try $0.reloadItems(["a"]) }
            return source.snapshot().reloadedItemIdentifiers == []
        },
        Case("by default, no item can be moved by a user") {
            let (one, two) = (ItemIndexPath(section: 0, item: 0), ItemIndexPath(section: 0, item: 1))
            let source = try source()
            do throws(DiffableError) {
                try source.moveItem(at: one, to: two)
            } catch {
                return error.code == .reorderingDenied
            }
            return false
        },
    ]

    private static let outlineCases = [
        Case("new items are collapsed, and their children are not visible") {
            let outline = try tree()
            return outline.visibleItems.map(\.id) == ["a", "b"] && outline.isExpanded("a") == false
        },
        Case("an expanded item shows its children") {
            var outline = try tree()
            try outline.expand(["a"])
            return outline.visibleItems.map(\.id) == ["a", "a1", "a2", "b"] && outline.isVisible("a1")
        },
        Case("a deleted item takes its descendants with it") {
            var outline = try tree()
            try outline.delete(["a"])
            return outline.items.map(\.id) == ["b"]
        },
        Case("an item is inserted next to a sibling, under the same parent") {
            var outline = try tree()
            try outline.insert(["x"], before: "a2")
            return outline.children(of: "a").map(\.id) == ["a1", "x", "a2"] && outline.level(of: "x") == 1
        },
        Case("children are replaced by an outline, and a branch is copied with or without its parent") {
            var outline = try tree()
            var children = KindOutline()
            try children.append(["y"])
            try outline.replace(childrenOf: "a", using: children)
            return outline.snapshot(of: "a") == children
                && outline.snapshot(of: "a", includingParent: true).items.map(\.id) == ["a", "y"]
        },
        Case("the visual description has + for expanded, - for collapsed and * for items without children") {
            var outline = try tree()
            let collapsed = outline.visualDescription()
            try outline.expand(["a"])
            return collapsed == "- a\n  * a1\n  * a2\n* b"
                && outline.visualDescription() == "+ a\n  * a1\n  * a2\n* b"
        },
        Case("the visible items of an outline are shown in a section; differs: a missing section is an error") {
            let source = try KindSource(try some([.first, .second]))
            try source.apply(try tree(), to: .second)
            let isShown = Array(source.snapshot()[.second]) == ["a", "b"]
            do { try source.apply(try tree(), to: .third) } catch let error as DiffableError {
                return isShown && error.code == .unknownSection
            }
            return false
        },
    ]
}

private func some(_ sections: [Kind]) throws -> KindSnapshot {
    var snapshot = KindSnapshot()
    snapshot.appendSections(sections)
    return snapshot
}

/// Two sections: a and b, then c.
private func example() throws -> KindSnapshot {
    var snapshot = try some([.first, .second])
    try snapshot.appendItems(["c"])
    try snapshot.appendItems(["a", "b"], toSection: .first)
    return snapshot
}

private func source() throws -> KindSource { try KindSource(try example()) }

/// a with the children a1 and a2, then b.
private func tree() throws -> KindOutline {
    var outline = KindOutline()
    try outline.append(["a", "b"])
    try outline.append(["a1", "a2"], to: "a")
    return outline
}

/// Returns true if the edit of the example, or else of an empty snapshot, throws this error and changes nothing.
private func fails(_ code: DiffableError.Code, _ edit: (inout KindSnapshot) throws -> Void) -> Bool {
    guard let original = code == .noSections ? KindSnapshot() : try? example() else { return false }
    var snapshot = original
    do { try edit(&snapshot) } catch { return (error as? DiffableError)?.code == code && snapshot == original }
    return false
}

/// Returns the numbers of changes that observers of the example get.
private func changes(_ body: (KindSource) throws -> Void) throws -> [Int] {
    let source = try source()
    var counts: [Int] = []
    let observation = source.observe { counts.append($0.difference.count) }
    try body(source)
    observation.cancel()
    return counts
}
