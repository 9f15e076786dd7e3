import Diffable
import TestSupport

/// Two models to compare.
struct Pair<ID: TestIdentifier>: CustomStringConvertible {
    var old: Model<ID>
    var new: Model<ID>

    var description: String { "\n    old \(old)\n    new \(new)" }
}

/// The content of random models.
struct ModelShape {
    var sections = 4
    var changesContent = true
    var marks = true

    static let flat = ModelShape(sections: 1, changesContent: false, marks: false)
    static let sectioned = ModelShape(changesContent: false, marks: false)
    static let everything = ModelShape()
}

extension Pair {
    /// Half of the pairs have little in common, half are a few edits apart.
    static func random(_ shape: ModelShape, size: Int, using random: inout SplitMix64) -> Pair {
        let old = Model<ID>.random(shape, size: size, using: &random)
        guard random.chance(1, in: 2) else {
            return Pair(old: old, new: .random(shape, size: size, using: &random))
        }
        var new = old
        for _ in 0..<random.int(in: 0..<5) { new.disturb(shape, size: size, using: &random) }
        new.mark(shape, using: &random)
        return Pair(old: old, new: new)
    }

    /// Simpler pairs: without one section or item, on one side or both, without content changes, without marks.
    func simpler() -> [Pair] {
        var simpler: [Pair] = []
        for id in Set(old.parts.map(\.header.id) + new.parts.map(\.header.id)) {
            simpler.append(Pair(old: old.without(section: id), new: new.without(section: id)))
            simpler.append(Pair(old: old.without(section: id), new: new))
            simpler.append(Pair(old: old, new: new.without(section: id)))
        }
        for id in Set(old.rows.map(\.id) + new.rows.map(\.id)) {
            simpler.append(Pair(old: old.without(item: id), new: new.without(item: id)))
            simpler.append(Pair(old: old.without(item: id), new: new))
            simpler.append(Pair(old: old, new: new.without(item: id)))
        }
        simpler.append(Pair(old: old.plain(), new: new.plain()))
        return simpler.filter { "\($0)".utf8.count < description.utf8.count }
    }
}

extension Model {
    static func random(_ shape: ModelShape, size: Int, using random: inout SplitMix64) -> Model {
        var model = Model()
        let headers = shape.sections == 1 ? [0] : (0..<shape.sections + 2).shuffled(using: &random)
        let count = shape.sections == 1 ? 1 : random.int(in: 0..<shape.sections + 1)
        for number in headers.prefix(count) {
            model.parts.append(Part(header: shape.row(number, using: &random), rows: []))
        }
        guard count > 0 else { return model }
        let numbers = (0..<size + size / 2).shuffled(using: &random).prefix(random.int(in: 0..<size + 1))
        for number in random.chance(1, in: 2) ? numbers.sorted() : Array(numbers) {
            model.parts[random.int(in: 0..<count)].rows.append(shape.row(number, using: &random))
        }
        model.mark(shape, using: &random)
        return model
    }

    /// One edit of any kind that a difference has.
    mutating func disturb(_ shape: ModelShape, size: Int, using random: inout SplitMix64) {
        switch random.int(in: 0..<7) {
        case 0: if let row = removeRow(using: &random) { insert(row, using: &random) }
        case 1: _ = removeRow(using: &random)
        case 2: insert(shape.row(100 + size + random.int(in: 0..<9), using: &random), using: &random)
        case 3 where shape.changesContent: changeContent(using: &random)
        case 4 where shape.sections > 1: moveSection(using: &random)
        case 5 where shape.sections > 1: insertSection(using: &random)
        case 6 where shape.sections > 1: dissolveSection(using: &random)
        default: break
        }
    }

    mutating func mark(_ shape: ModelShape, using random: inout SplitMix64) {
        marks = SnapshotMarks()
        guard shape.marks, random.chance(1, in: 3) else { return }
        for part in parts where random.chance(1, in: 4) { marks.reloadedSections.append(part.header.id) }
        for row in rows {
            switch random.int(in: 0..<8) {
            case 0: marks.reloadedItems.append(row.id)
            case 1: marks.reconfiguredItems.append(row.id)
            default: break
            }
        }
    }

    func without(section id: ID) -> Model {
        let part = parts.first { $0.header.id == id }
        var model = self
        for row in part?.rows ?? [] { model = model.without(item: row.id) }
        model.parts.removeAll { $0.header.id == id }
        model.marks.reloadedSections.removeAll { $0 == id }
        return model
    }

    func without(item id: ID) -> Model {
        var model = self
        for part in parts.indices { model.parts[part].rows.removeAll { $0.id == id } }
        model.marks.reloadedItems.removeAll { $0 == id }
        model.marks.reconfiguredItems.removeAll { $0 == id }
        return model
    }

    func plain() -> Model {
        Model(parts.map { ($0.header.id.number, $0.rows.map(\.id.number)) })
    }

    private func anyPlace(using random: inout SplitMix64) -> (part: Int, row: Int)? {
        let places = parts.indices.flatMap { part in parts[part].rows.indices.map { (part, $0) } }
        return places.randomElement(using: &random)
    }

    private mutating func removeRow(using random: inout SplitMix64) -> Row<ID>? {
        anyPlace(using: &random).map { parts[$0.part].rows.remove(at: $0.row) }
    }

    private mutating func insert(_ row: Row<ID>, using random: inout SplitMix64) {
        guard !rows.contains(where: { $0.id == row.id }) else { return }
        guard let part = parts.indices.randomElement(using: &random) else { return }
        parts[part].rows.insert(row, at: random.int(in: 0..<parts[part].rows.count + 1))
    }

    private mutating func changeContent(using random: inout SplitMix64) {
        if let place = anyPlace(using: &random) { parts[place.part].rows[place.row].content += 1 }
        if let part = parts.indices.randomElement(using: &random) { parts[part].header.content += 1 }
    }

    private mutating func moveSection(using random: inout SplitMix64) {
        guard let index = parts.indices.randomElement(using: &random) else { return }
        let part = parts.remove(at: index)
        parts.insert(part, at: random.int(in: 0..<parts.count + 1))
    }

    private mutating func insertSection(using random: inout SplitMix64) {
        let number = 50 + random.int(in: 0..<3)
        guard !parts.contains(where: { $0.header.id == ID(number) }) else { return }
        parts.insert(Part(header: Row(number), rows: []), at: random.int(in: 0..<parts.count + 1))
    }

    /// Deletes a section, and moves half of its items to other sections.
    private mutating func dissolveSection(using random: inout SplitMix64) {
        guard let index = parts.indices.randomElement(using: &random) else { return }
        for row in parts.remove(at: index).rows where random.chance(1, in: 2) { insert(row, using: &random) }
    }
}

extension ModelShape {
    fileprivate func row<ID>(_ number: Int, using random: inout SplitMix64) -> Row<ID> {
        Row(number, content: changesContent && random.chance(1, in: 4) ? random.int(in: 1..<4) : 0)
    }
}
