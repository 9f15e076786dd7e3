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
        case .appendSections(let new): snapshot.appendSections(rows(new))
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
            try snapshot.appendItems(rows(new), toSection: section.map { ID($0) })
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

extension Edit {
    /// Returns true if the edit adds an element whose identifier is there, or is added twice.
    func addsDuplicate<ID>(to model: Model<ID>) -> Bool {
        let numbers =
            switch self {
            case .appendSections(let new), .insertSections(let new, _, _): model.parts.map(\.header.id.number) + new
            case .appendItems(let new, _), .insertItems(let new, _, _): model.rows.map(\.id.number) + new
            default: [Int]()
            }
        return Set(numbers).count < numbers.count
    }

    /// Makes a legal edit, if the snapshot has no duplicate then.
    func performIfUnique<ID>(on snapshot: inout Snapshot<ID>) {
        if !addsDuplicate(to: Model(snapshot)) { try? perform(on: &snapshot) }
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
            model.insertSections(new, at: model.parts.count)
        case .insertSections(let new, let neighbour, let after):
            model.insertSections(new, at: try model.part(neighbour) + (after ? 1 : 0))
        case .deleteSections(let old):
            let sections = Set(try old.map { number throws(Refusal) in try model.part(number) })
            model.delete(model.places.filter { sections.contains($0.section) })
            model.marks.reloadedSections.removeAll { old.contains($0.number) }
            for section in sections.sorted().reversed() { model.parts.remove(at: section) }
        case .moveSection(let one, let neighbour, let after):
            let from = try model.part(one)
            let to = try model.part(neighbour)
            guard from != to else { return }
            let part = model.parts.remove(at: from)
            model.parts.insert(part, at: to + (after ? 1 : 0) - (from < to ? 1 : 0))
        case .replaceSection(let one, let content):
            model.parts[try model.part(one)].header.content = content
        case .appendItems(let new, let section):
            guard section != nil || !model.parts.isEmpty else { throw Refusal(code: .noSections, number: nil) }
            let part = try section.map { number throws(Refusal) in try model.part(number) } ?? model.parts.count - 1
            model.parts[part].rows += new.map { Row($0) }
        case .insertItems(let new, let neighbour, let after):
            let place = try model.place(neighbour)
            model.parts[place.section].rows.insert(
                contentsOf: new.map { Row($0) }, at: place.item + (after ? 1 : 0))
        case .deleteItems(let old):
            model.delete(try old.map { number throws(Refusal) in try model.place(number) })
        case .deleteAllItems:
            model = Model()
        case .removeItems(let divisor):
            model.delete(model.places.filter { model[$0].id.number % divisor == 0 })
        case .keepItems(let divisor):
            model.delete(model.places.filter { model[$0].id.number % divisor != 0 })
        case .moveItem(let one, let neighbour, let after):
            try model.moveItem(one, nextTo: neighbour, after: after)
        case .replace(let one, let content):
            model[try model.place(one)].content = content
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
            for number in some { reloaded.insert(model[try model.place(number)].id) }
        case .reconfigureItems(let some):
            for number in some { reconfigured.insert(model[try model.place(number)].id) }
        default: break
        }
        reconfigured.subtract(reloaded)
        model.marks = SnapshotMarks(
            reloadedSections: Array(sections), reloadedItems: Array(reloaded), reconfiguredItems: Array(reconfigured))
    }
}

extension Model {
    fileprivate func part(_ number: Int) throws(Refusal) -> Int {
        guard let index = parts.firstIndex(where: { $0.header.id.number == number }) else {
            throw Refusal(code: .unknownSection, number: number)
        }
        return index
    }

    /// The first item with this number.
    fileprivate func place(_ number: Int) throws(Refusal) -> ItemIndexPath {
        guard let place = places.first(where: { self[$0].id.number == number }) else {
            throw Refusal(code: .unknownItem, number: number)
        }
        return place
    }

    fileprivate mutating func insertSections(_ numbers: [Int], at index: Int) {
        parts.insert(contentsOf: numbers.map { Part(header: Row($0), rows: []) }, at: index)
    }

    /// Deletes items, and the marks of their identifiers.
    fileprivate mutating func delete(_ places: [ItemIndexPath]) {
        let gone = Set(places.map { self[$0].id })
        marks.reloadedItems.removeAll(where: gone.contains)
        marks.reconfiguredItems.removeAll(where: gone.contains)
        for place in Set(places).sorted().reversed() { parts[place.section].rows.remove(at: place.item) }
    }

    fileprivate mutating func moveItem(_ one: Int, nextTo neighbour: Int, after: Bool) throws(Refusal) {
        let from = try place(one)
        var to = try place(neighbour)
        guard from != to else { return }
        let row = parts[from.section].rows.remove(at: from.item)
        if from.section == to.section, from < to { to.item -= 1 }
        parts[to.section].rows.insert(row, at: to.item + (after ? 1 : 0))
    }

    /// Marks in the order of the lists, as in a snapshot.
    func withMarksInOrder() -> Model {
        var model = self
        func inOrder(_ marked: [ID], of all: [ID]) -> [ID] {
            Set(marked).sorted { all.firstIndex(of: $0) ?? 0 < all.firstIndex(of: $1) ?? 0 }
        }
        model.marks.reloadedSections = inOrder(marks.reloadedSections, of: parts.map(\.header.id))
        model.marks.reloadedItems = inOrder(marks.reloadedItems, of: rows.map(\.id))
        model.marks.reconfiguredItems = inOrder(marks.reconfiguredItems, of: rows.map(\.id))
        return model
    }
}
