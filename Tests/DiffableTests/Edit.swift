import Diffable
import TestSupport

/// One call of a snapshot's editing methods, legal or not.
enum Edit {
    case appendSections([Int])
    case insertSections([Int], nextTo: Int, after: Bool)
    case deleteSections([Int])
    case moveSection(Int, nextTo: Int, after: Bool)
    case replaceSection(Int, content: Int)
    case reloadSections([Int])
    case appendItems([Int], toSection: Int?)
    case insertItems([Int], nextTo: Int, after: Bool)
    case deleteItems([Int])
    case deleteAllItems
    case removeItems(multiplesOf: Int)
    case keepItems(multiplesOf: Int)
    case moveItem(Int, nextTo: Int, after: Bool)
    case replace(Int, content: Int)
    case reloadItems([Int])
    case reconfigureItems([Int])
}

extension Edit {
    /// An edit with item numbers below `size` and up to `batch` items at once.
    static func random(size: Int, batch: Int, using random: inout SplitMix64) -> Edit {
        func item() -> Int { random.int(in: 0..<size) }
        func items() -> [Int] { (0..<random.int(in: 0..<batch + 1)).map { _ in item() } }
        /// Usually without duplicates, so that many edits succeed.
        func newItems() -> [Int] {
            let items = items()
            return random.chance(1, in: 8) ? items : Set(items).shuffled(using: &random)
        }
        func section() -> Int { random.int(in: 0..<6) }
        func sections() -> [Int] { (0..<random.int(in: 0..<3)).map { _ in section() } }
        switch random.int(in: 0..<40) {
        case 0..<4: return .appendSections(sections())
        case 4..<6: return .insertSections(sections(), nextTo: section(), after: random.chance(1, in: 2))
        case 6: return .deleteSections(sections())
        case 7..<9: return .moveSection(section(), nextTo: section(), after: random.chance(1, in: 2))
        case 9: return .replaceSection(section(), content: item())
        case 10: return .reloadSections(sections())
        case 11..<17: return .appendItems(newItems(), toSection: random.chance(1, in: 3) ? nil : section())
        case 17..<25: return .insertItems(newItems(), nextTo: item(), after: random.chance(1, in: 2))
        case 25..<29: return .deleteItems(Array(items().prefix(3)))
        case 29: return .shrinking(using: &random)
        case 30..<36: return .moveItem(item(), nextTo: item(), after: random.chance(1, in: 2))
        case 36..<38: return .replace(item(), content: item())
        case 38: return .reloadItems(Array(items().prefix(3)))
        default: return .reconfigureItems(Array(items().prefix(3)))
        }
    }

    private static func shrinking(using random: inout SplitMix64) -> Edit {
        switch random.int(in: 0..<8) {
        case 0: .deleteAllItems
        case 1..<5: .removeItems(multiplesOf: random.int(in: 2..<5))
        default: .keepItems(multiplesOf: random.int(in: 2..<12))
        }
    }

    /// The call.
    func perform<ID>(on snapshot: inout Snapshot<ID>) throws(DiffableError) {
        func rows(_ numbers: [Int]) -> [Row<ID>] { numbers.map { Row($0) } }
        func ids(_ numbers: [Int]) -> [ID] { numbers.map { ID($0) } }
        switch self {
        case .appendSections(let new): try snapshot.appendSections(rows(new))
        case .insertSections(let new, let neighbour, false):
            try snapshot.insertSections(rows(new), beforeSection: ID(neighbour))
        case .insertSections(let new, let neighbour, true):
            try snapshot.insertSections(rows(new), afterSection: ID(neighbour))
        case .deleteSections(let old): try snapshot.deleteSections(ids(old))
        case .moveSection(let one, let neighbour, false):
            try snapshot.moveSection(ID(one), beforeSection: ID(neighbour))
        case .moveSection(let one, let neighbour, true):
            try snapshot.moveSection(ID(one), afterSection: ID(neighbour))
        case .replaceSection(let one, let content): try snapshot.replaceSection(Row(one, content: content))
        case .reloadSections(let some): try snapshot.reloadSections(ids(some))
        case .appendItems(let new, let section):
            let before = snapshot
            try snapshot.appendItems(rows(new), toSection: section.map { ID($0) })
            if Set(snapshot.itemIdentifiers).count == snapshot.numberOfItems { return }
            // The items are not hashed yet, so the duplicate is found later.
            let changed = snapshot
            snapshot = before
            try changed.checkIdentifiers()
        case .insertItems(let new, let neighbour, false):
            try snapshot.insertItems(rows(new), beforeItem: ID(neighbour))
        case .insertItems(let new, let neighbour, true):
            try snapshot.insertItems(rows(new), afterItem: ID(neighbour))
        case .deleteItems(let old): try snapshot.deleteItems(ids(old))
        case .deleteAllItems: snapshot.deleteAllItems()
        case .removeItems(let divisor): snapshot.removeItems { $0.id.number.isMultiple(of: divisor) }
        case .keepItems(let divisor): snapshot.removeItems { !$0.id.number.isMultiple(of: divisor) }
        case .moveItem(let one, let neighbour, false): try snapshot.moveItem(ID(one), beforeItem: ID(neighbour))
        case .moveItem(let one, let neighbour, true): try snapshot.moveItem(ID(one), afterItem: ID(neighbour))
        case .replace(let one, let content): try snapshot.replace(Row(one, content: content))
        case .reloadItems(let some): try snapshot.reloadItems(ids(some))
        case .reconfigureItems(let some): try snapshot.reconfigureItems(ids(some))
        }
    }
}

/// The reason why the model refuses an edit.
struct Refusal: Error, Equatable {
    let code: DiffableError.Code
    let number: Int?
}

/// Makes an edit on the model and on the value, and checks that both accept it, or refuse it for the same reason.
///
/// - Returns: The error of the value.
func holdSameRefusal<Edit, ID: TestIdentifier>(
    of edit: Edit, _ kind: ID.Type, model: () throws(Refusal) -> Void, value: () throws -> Void
) throws -> DiffableError? {
    var refusal: Refusal?
    do { try model() } catch { refusal = error }
    do {
        try value()
        try verify(refusal == nil, "\(edit) was accepted; the model refuses it: \(String(describing: refusal))")
        return nil
    } catch let error as DiffableError {
        let said = Refusal(code: error.code, number: (error.identifier as? ID)?.number)
        try verify(said == refusal, "\(edit) threw \(error); the model: \(String(describing: refusal))")
        return error
    }
}

extension Edit {
    /// The meaning of the call for plain arrays.
    func perform<ID>(on model: inout Model<ID>) throws(Refusal) {
        switch self {
        case .appendSections(let new):
            try model.insertSections(new, at: model.parts.count)
        case .insertSections(let new, let neighbour, let after):
            try model.insertSections(new, at: try model.part(neighbour) + (after ? 1 : 0))
        case .deleteSections(let old):
            for number in old { _ = try model.part(number) }
            for number in old { model = model.without(section: ID(number)) }
        case .moveSection(let one, let neighbour, let after):
            let from = try model.part(one)
            let to = try model.part(neighbour)
            guard from != to else { return }
            let part = model.parts.remove(at: from)
            model.parts.insert(part, at: try model.part(neighbour) + (after ? 1 : 0))
        case .replaceSection(let one, let content):
            model.parts[try model.part(one)].header.content = content
        case .appendItems(let new, let section):
            guard section != nil || !model.parts.isEmpty else { throw Refusal(code: .noSections, number: nil) }
            let part = try section.map { number throws(Refusal) in try model.part(number) } ?? model.parts.count - 1
            try model.insertItems(new, at: (part, model.parts[part].rows.count))
        case .insertItems(let new, let neighbour, let after):
            let place = try model.place(neighbour)
            try model.insertItems(new, at: (place.part, place.row + (after ? 1 : 0)))
        case .deleteItems(let old):
            for number in old { _ = try model.place(number) }
            for number in old { model = model.without(item: ID(number)) }
        case .deleteAllItems:
            model = Model()
        case .removeItems(let divisor):
            for row in model.rows where row.id.number % divisor == 0 { model = model.without(item: row.id) }
        case .keepItems(let divisor):
            for row in model.rows where row.id.number % divisor != 0 { model = model.without(item: row.id) }
        case .moveItem(let one, let neighbour, let after):
            try model.moveItem(one, nextTo: neighbour, after: after)
        case .replace(let one, let content):
            let place = try model.place(one)
            model.parts[place.part].rows[place.row].content = content
        case .reloadSections, .reloadItems, .reconfigureItems:
            try mark(&model)
        }
    }

    private func mark<ID>(_ model: inout Model<ID>) throws(Refusal) {
        var sections = Set(model.marks.reloadedSections)
        var reloaded = Set(model.marks.reloadedItems)
        var reconfigured = Set(model.marks.reconfiguredItems)
        switch self {
        case .reloadSections(let some):
            for number in some { sections.insert(model.parts[try model.part(number)].header.id) }
        case .reloadItems(let some):
            for number in some { _ = try model.place(number) }
            reloaded.formUnion(some.map { ID($0) })
        case .reconfigureItems(let some):
            for number in some { _ = try model.place(number) }
            reconfigured.formUnion(some.map { ID($0) })
        default: break
        }
        reconfigured.subtract(reloaded)
        model.marks.reloadedSections = model.parts.map(\.header.id).filter(sections.contains)
        model.marks.reloadedItems = model.rows.map(\.id).filter(reloaded.contains)
        model.marks.reconfiguredItems = model.rows.map(\.id).filter(reconfigured.contains)
    }
}

extension Model {
    fileprivate func part(_ number: Int) throws(Refusal) -> Int {
        guard let index = parts.firstIndex(where: { $0.header.id.number == number }) else {
            throw Refusal(code: .unknownSection, number: number)
        }
        return index
    }

    fileprivate func place(_ number: Int) throws(Refusal) -> (part: Int, row: Int) {
        for (part, one) in parts.enumerated() {
            if let row = one.rows.firstIndex(where: { $0.id.number == number }) { return (part, row) }
        }
        throw Refusal(code: .unknownItem, number: number)
    }

    fileprivate mutating func insertSections(_ numbers: [Int], at index: Int) throws(Refusal) {
        var there = Set(parts.map(\.header.id.number))
        for number in numbers where !there.insert(number).inserted {
            throw Refusal(code: .duplicateSection, number: number)
        }
        parts.insert(contentsOf: numbers.map { Part(header: Row($0), rows: []) }, at: index)
    }

    fileprivate mutating func insertItems(_ numbers: [Int], at place: (part: Int, row: Int)) throws(Refusal) {
        var there = Set(rows.map(\.id.number))
        for number in numbers where !there.insert(number).inserted {
            throw Refusal(code: .duplicateItem, number: number)
        }
        parts[place.part].rows.insert(contentsOf: numbers.map { Row($0) }, at: place.row)
    }

    fileprivate mutating func moveItem(_ one: Int, nextTo neighbour: Int, after: Bool) throws(Refusal) {
        let from = try place(one)
        _ = try place(neighbour)
        guard one != neighbour else { return }
        let row = parts[from.part].rows.remove(at: from.row)
        let to = try place(neighbour)
        parts[to.part].rows.insert(row, at: to.row + (after ? 1 : 0))
    }

    /// Marks in the order of the lists, as in a snapshot.
    func withMarksInOrder() -> Model {
        var model = self
        model.marks.reloadedSections = parts.map(\.header.id).filter(Set(marks.reloadedSections).contains)
        model.marks.reloadedItems = rows.map(\.id).filter(Set(marks.reloadedItems).contains)
        model.marks.reconfiguredItems = rows.map(\.id).filter(Set(marks.reconfiguredItems).contains)
        return model
    }
}
