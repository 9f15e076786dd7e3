import Diffable

/// A thousand lookups in a snapshot of `count` items that was edited just before.
struct Lookups<Item: BenchmarkItem> {
    /// The names of the lookups, for the report and `--only`.
    static var names: [String] { ["index", "index-unedited", "section", "item"] }

    private let count: Int
    private let sought: [Item.ID]
    private let numbers: [Int]

    init(count: Int) {
        self.count = count
        var random = SplitMix64(seed: 7)
        numbers = (0..<1_000).map { _ in Int.random(in: 0..<count, using: &random) }
        sought = numbers.map(Item.ID.init(number:))
    }

    func contenders(for name: String) throws -> [Contender] {
        let original = try Snapshot<Item>([Shape.Section(number: 0, items: Array(0..<count))])
        return switch name {
        case "index":
            [
                asking("index", of: original) { snapshot, ids in
                    ids.map { snapshot.indexOfItem($0) }
                } answer: {
                    $0 < count / 2 ? $0 : $0 + 1
                },
                askingArray(),
            ]
        case "index-unedited":
            [
                asking("index-unedited", of: original, isEdited: false) { snapshot, ids in
                    ids.map { snapshot.indexOfItem($0) }
                } answer: {
                    $0
                }
            ]
        case "section":
            [
                asking("section", of: original) { snapshot, ids in
                    ids.map { snapshot.sectionIdentifier(containingItem: $0) }
                } answer: { _ in
                    0
                }
            ]
        case "item":
            [
                asking("item", of: original) { snapshot, ids in
                    ids.map { snapshot.item(for: $0) }
                } answer: {
                    Item(number: $0, content: UInt32($0))
                }
            ]
        default: []
        }
    }

    /// Looks up a thousand items. `lookUp` does it in one call, because calling a closure may copy the snapshot.
    /// `answer` returns the expected result for the item with a number.
    private func asking<Answer: Equatable>(
        _ name: String, of original: Snapshot<Item>, isEdited: Bool = true,
        _ lookUp: @escaping (Snapshot<Item>, [Item.ID]) -> [Answer?], answer: @escaping (Int) -> Answer
    ) -> Contender {
        let (numbers, sought) = (numbers, sought)
        let middle = Item.ID(number: count / 2)
        let item = Item(number: count, content: 0)
        return Contender(
            "Diffable", on: name, ids: Item.ID.kind,
            prepare: {
                var changed = original
                if isEdited { try changed.insertItems([item], beforeItem: middle) }
                return changed
            },
            body: { changed in lookUp(changed, sought) },
            check: { _, answers in
                try WrongResult.unless(answers == numbers.map(answer), "\(name): wrong answers")
                return nil
            })
    }

    /// An array finds an index by searching from the front.
    private func askingArray() -> Contender {
        let sought = sought
        var ids = (0..<count).map(Item.ID.init(number:))
        ids.insert(Item.ID(number: count), at: count / 2)
        return Contender("stdlib", on: "index", ids: Item.ID.kind, prepare: { [ids] in ids }) { ids in
            sought.map { ids.firstIndex(of: $0) }
        } check: { ids, answers in
            try WrongResult.unless(zip(answers, sought).allSatisfy { ids[$0!] == $1 }, "index, stdlib: wrong answers")
            return nil
        }.limited(to: 7)
    }
}
