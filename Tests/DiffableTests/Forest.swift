import Diffable
import DiffableOutlines
import TestSupport

typealias PlainOutline = DiffableSectionSnapshot<PlainRow>
typealias PlainForest = Forest<PlainIdentifier>

/// The model of section snapshots: plain nested arrays.
struct Forest<ID: TestIdentifier>: Equatable, CustomStringConvertible {
    struct Branch: Equatable, CustomStringConvertible {
        var row: Row<ID>
        var isExpanded = false
        var branches: [Branch] = []

        var rows: [Row<ID>] { [row] + branches.flatMap(\.rows) }
        var visibleRows: [Row<ID>] { [row] + (isExpanded ? branches.flatMap(\.visibleRows) : []) }

        var description: String {
            "\(row)\(isExpanded ? "-" : "")\(branches.isEmpty ? "" : "\(branches)")"
        }
    }

    var branches: [Branch] = []

    init(_ branches: [Branch] = []) {
        self.branches = branches
    }

    /// The children of each item, according to the members of a section snapshot.
    init(_ snapshot: DiffableSectionSnapshot<Row<ID>>) {
        func branch(_ row: Row<ID>) -> Branch {
            let children = snapshot.children(of: row.id)
            return Branch(row: row, isExpanded: snapshot.isExpanded(row.id), branches: children.map(branch))
        }
        branches = snapshot.rootItems.map(branch)
    }

    var rows: [Row<ID>] { branches.flatMap(\.rows) }
    var visibleRows: [Row<ID>] { branches.flatMap(\.visibleRows) }
    var description: String { "\(branches)" }

    /// The same as a section snapshot, built by appending one level after another.
    func snapshot() throws -> DiffableSectionSnapshot<Row<ID>> {
        var snapshot = DiffableSectionSnapshot<Row<ID>>()
        func append(_ branches: [Branch], to parent: ID?) throws {
            try snapshot.append(branches.map(\.row), to: parent)
            try snapshot.expand(branches.filter(\.isExpanded).map(\.row.id))
            for branch in branches { try append(branch.branches, to: branch.row.id) }
        }
        try append(branches, to: nil)
        return snapshot
    }

    /// The branch of the item with this number.
    func branch(_ number: Int) -> Branch? { path(to: number).map { self[$0] } }

    /// The indices from the roots down to the item with this number.
    func path(to number: Int) -> [Int]? {
        func path(in branches: [Branch]) -> [Int]? {
            for (index, branch) in branches.enumerated() {
                if branch.row.id.number == number { return [index] }
                if let path = path(in: branch.branches) { return [index] + path }
            }
            return nil
        }
        return path(in: branches)
    }

    subscript(path: some Collection<Int>) -> Branch {
        path.reduce(Branch(row: Row(0), branches: branches)) { $0.branches[$1] }
    }

    /// Edits the siblings at the end of a path: the roots for one index, their children for two.
    mutating func edit(siblingsAt path: [Int], _ body: (inout [Branch]) -> Void) {
        func edit(_ branches: inout [Branch], _ rest: ArraySlice<Int>) {
            guard let index = rest.first, rest.count > 1 else { return body(&branches) }
            edit(&branches[index].branches, rest.dropFirst())
        }
        edit(&branches, path[...])
    }
}

extension Forest {
    /// A forest of about `size` items with unique numbers below `limit`.
    static func random(size: Int, below limit: Int, using random: inout SplitMix64) -> Forest {
        var forest = Forest()
        for number in (0..<limit).shuffled(using: &random).prefix(size) {
            let isExpanded = random.chance(1, in: 2)
            let branch = Branch(row: Row(number), isExpanded: isExpanded)
            guard let parent = forest.rows.randomElement(using: &random), random.chance(2, in: 3),
                let path = forest.path(to: parent.id.number)
            else {
                forest.branches.append(branch)
                continue
            }
            forest.edit(siblingsAt: path + [0]) { $0.append(branch) }
        }
        return forest
    }
}

/// Compares every property of a section snapshot with the model.
func holdAgreement<ID>(_ snapshot: DiffableSectionSnapshot<Row<ID>>, _ forest: Forest<ID>) throws {
    try verify(Forest(snapshot) == forest, "the model is \(forest), the snapshot \(Forest(snapshot))")
    try verify(snapshot == forest.snapshot(), "the value differs from one built by appending")
    try verify(snapshot.items == forest.rows, "items are \(snapshot.items), the model says \(forest.rows)")
    try verify(snapshot.visibleItems == forest.visibleRows, "visibleItems are \(snapshot.visibleItems)")
    try verify(snapshot.rootItems == forest.branches.map(\.row), "rootItems are \(snapshot.rootItems)")
    try verify(snapshot.numberOfItems == forest.rows.count, "numberOfItems is wrong")
    try verify(Set(snapshot.items.map(\.id)).count == snapshot.numberOfItems, "an item occurs twice")
    let visible = Set(forest.visibleRows.map(\.id))
    for (index, row) in forest.rows.enumerated() {
        let path = forest.path(to: row.id.number) ?? []
        let parent = path.count < 2 ? nil : forest[path.dropLast()].row
        try verify(snapshot.contains(row.id) && snapshot.item(for: row.id) == row, "item(for: \(row)) is wrong")
        try verify(snapshot.index(of: row.id) == index, "index(of: \(row)) is wrong")
        try verify(snapshot.level(of: row.id) == path.count - 1, "level(of: \(row)) is wrong")
        try verify(snapshot.parent(of: row.id) == parent, "parent(of: \(row)) is wrong")
        try verify(snapshot.isVisible(row.id) == visible.contains(row.id), "isVisible(\(row)) is wrong")
        let under = Forest(snapshot.snapshot(of: row.id))
        try verify(under == Forest(forest[path].branches), "snapshot(of: \(row)) is \(under)")
        let branch = Forest(snapshot.snapshot(of: row.id, includingParent: true))
        try verify(branch == Forest([forest[path]]), "snapshot(of: \(row), includingParent: true) is \(branch)")
    }
}

extension DiffableSectionSnapshot<PlainRow> {
    /// Item 1 has 2 and 3 under it, and 3 has 4; the other root is 5. Nothing is expanded.
    static func example() throws -> Self {
        var outline = Self()
        try outline.append([PlainRow(1), PlainRow(5)])
        try outline.append([PlainRow(2), PlainRow(3)], to: PlainIdentifier(1))
        try outline.append([PlainRow(4)], to: PlainIdentifier(3))
        return outline
    }
}
