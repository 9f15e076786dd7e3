import Diffable
import DiffableOutlines
import TestSupport

/// One call of a section snapshot's editing methods, legal or not.
enum OutlineEdit<ID: TestIdentifier> {
    case append([Int], to: Int?)
    case insert([Int], nextTo: Int, after: Bool)
    case insertForest(Forest<ID>, nextTo: Int, after: Bool)
    case delete([Int])
    case deleteAll
    case replace(Int, content: Int)
    case replaceChildren(of: Int, Forest<ID>)
    case keepBranch(of: Int, includingParent: Bool)
    case expand([Int])
    case collapse([Int])
}

extension OutlineEdit {
    static func random(size: Int, using random: inout SplitMix64) -> OutlineEdit {
        func item() -> Int { random.int(in: 0..<size) }
        func items() -> [Int] { (0..<random.int(in: 0..<5)).map { _ in item() } }
        func newItems() -> [Int] { random.chance(1, in: 8) ? items() : Set(items()).shuffled(using: &random) }
        func forest() -> Forest<ID> { .random(size: random.int(in: 0..<6), below: size, using: &random) }
        func coin() -> Bool { random.chance(1, in: 2) }
        switch random.int(in: 0..<32) {
        case 0..<8: return .append(newItems(), to: random.chance(1, in: 4) ? nil : item())
        case 8..<13: return .insert(newItems(), nextTo: item(), after: coin())
        case 13..<16: return .insertForest(forest(), nextTo: item(), after: coin())
        case 16..<19: return .delete(Array(items().prefix(2)))
        case 19: return random.chance(1, in: 8) ? .deleteAll : .replace(item(), content: item())
        case 20: return .replace(item(), content: item())
        case 21..<24: return .replaceChildren(of: item(), forest())
        case 24: return random.chance(1, in: 4) ? .keepBranch(of: item(), includingParent: coin()) : .expand([item()])
        case 25..<29: return .expand(items())
        default: return .collapse(Array(items().prefix(2)))
        }
    }

    /// The call.
    func perform(on snapshot: inout DiffableSectionSnapshot<Row<ID>>) throws {
        func rows(_ numbers: [Int]) -> [Row<ID>] { numbers.map { Row($0) } }
        func ids(_ numbers: [Int]) -> [ID] { numbers.map { ID($0) } }
        switch self {
        case .append(let new, let parent): try snapshot.append(rows(new), to: parent.map { ID($0) })
        case .insert(let new, let sibling, false): try snapshot.insert(rows(new), before: ID(sibling))
        case .insert(let new, let sibling, true): try snapshot.insert(rows(new), after: ID(sibling))
        case .insertForest(let new, let sibling, false): try snapshot.insert(new.snapshot(), before: ID(sibling))
        case .insertForest(let new, let sibling, true): try snapshot.insert(new.snapshot(), after: ID(sibling))
        case .delete(let old): try snapshot.delete(ids(old))
        case .deleteAll: snapshot.deleteAll()
        case .replace(let one, let content): try snapshot.replace(Row(one, content: content))
        case .replaceChildren(let parent, let new):
            try snapshot.replace(childrenOf: ID(parent), using: new.snapshot())
        case .keepBranch(let parent, let including):
            snapshot = snapshot.snapshot(of: ID(parent), includingParent: including)
        case .expand(let some): try snapshot.expand(ids(some))
        case .collapse(let some): try snapshot.collapse(ids(some))
        }
    }

    /// The meaning of the call for plain nested arrays.
    func perform(on forest: inout Forest<ID>) throws(Refusal) {
        switch self {
        case .append(let new, let parent):
            let path = try parent.map { number throws(Refusal) in try forest.place(number) } ?? []
            try forest.refuseDuplicates(in: new)
            forest.edit(siblingsAt: path + [0]) { $0 += new.map { Forest<ID>.Branch(row: Row($0)) } }
        case .insert(let new, let sibling, let after):
            try forest.insert(new.map { Forest<ID>.Branch(row: Row($0)) }, nextTo: sibling, after: after)
        case .insertForest(let new, let sibling, let after):
            try forest.insert(new.branches, nextTo: sibling, after: after)
        case .delete(let old):
            for number in old { _ = try forest.place(number) }
            for number in old { forest.delete(number) }
        case .deleteAll: forest = Forest()
        case .replace(let one, let content): try forest.edit([one]) { $0.row.content = content }
        case .replaceChildren(let parent, let new):
            let stays = Set(forest.rows.map(\.id.number)).subtracting(
                forest[try forest.place(parent)].branches.flatMap(\.rows).map(\.id.number))
            try Forest<ID>.refuseDuplicates(in: new.rows.map(\.id.number), among: stays)
            try forest.edit([parent]) { $0.branches = new.branches }
        case .keepBranch(let parent, let including):
            let branch = forest.branch(parent)
            forest = Forest(branch.map { including ? [$0] : $0.branches } ?? [])
        case .expand(let some): try forest.edit(some) { $0.isExpanded = true }
        case .collapse(let some): try forest.edit(some) { $0.isExpanded = false }
        }
    }
}

extension Forest {
    fileprivate func place(_ number: Int) throws(Refusal) -> [Int] {
        guard let path = path(to: number) else { throw Refusal(code: .unknownItem, number: number) }
        return path
    }

    fileprivate func refuseDuplicates(in numbers: [Int]) throws(Refusal) {
        try Self.refuseDuplicates(in: numbers, among: Set(rows.map(\.id.number)))
    }

    fileprivate static func refuseDuplicates(in numbers: [Int], among there: Set<Int>) throws(Refusal) {
        var there = there
        for number in numbers where !there.insert(number).inserted {
            throw Refusal(code: .duplicateItem, number: number)
        }
    }

    fileprivate mutating func insert(_ new: [Branch], nextTo sibling: Int, after: Bool) throws(Refusal) {
        let path = try place(sibling)
        try refuseDuplicates(in: Forest(new).rows.map(\.id.number))
        edit(siblingsAt: path) { $0.insert(contentsOf: new, at: path[path.count - 1] + (after ? 1 : 0)) }
    }

    fileprivate mutating func delete(_ number: Int) {
        guard let path = path(to: number) else { return }
        edit(siblingsAt: path) { $0.remove(at: path[path.count - 1]) }
    }

    fileprivate mutating func edit(_ numbers: [Int], _ body: (inout Branch) -> Void) throws(Refusal) {
        for number in numbers { _ = try place(number) }
        for number in numbers {
            let path = try place(number)
            edit(siblingsAt: path) { body(&$0[path[path.count - 1]]) }
        }
    }
}
