import JokesCore

@testable import JokesProtocol

/// A client that applies differences to plain lists, with the steps of docs/protocol.md.
struct StepByStepClient {
    /// A step that cannot be applied.
    struct InvalidStep: Error {}

    private(set) var sections: [Wire.FilledSection]

    /// A client that has this snapshot.
    init(_ snapshot: JokeSnapshot) {
        sections = Wire.pieces(of: snapshot, bytesEach: .max)[0]
    }

    mutating func apply(_ difference: Wire.Difference) throws {
        for id in difference.deletedItems ?? [] { _ = try takeItem(id) }
        let movedItems = try (difference.movedItems ?? []).map { move in
            Arrival(section: move.section, index: move.index, item: try takeItem(move.id))
        }
        for id in difference.deletedSections ?? [] { _ = try takeSection(id) }
        let movedSections = try (difference.movedSections ?? []).map { ($0.index, try takeSection($0.id)) }
        let newSections = (difference.insertedSections ?? []).map { place in
            (place.index, Wire.FilledSection(section: place.section, items: []))
        }
        for (index, section) in (movedSections + newSections).sorted(by: { $0.0 < $1.0 }) {
            guard (0...sections.count).contains(index) else { throw InvalidStep() }
            sections.insert(section, at: index)
        }
        let newItems = (difference.insertedItems ?? []).flatMap { run in
            run.items.enumerated().map { Arrival(section: run.section, index: run.index + $0, item: $1) }
        }
        for arrival in (movedItems + newItems).sorted(by: { $0.index < $1.index }) {
            let section = try index(ofSection: arrival.section)
            guard (0...sections[section].items.count).contains(arrival.index) else { throw InvalidStep() }
            sections[section].items.insert(arrival.item, at: arrival.index)
        }
        for section in difference.updatedSections ?? [] {
            sections[try index(ofSection: section.id.rawValue)].section = section
        }
        for item in difference.updatedItems ?? [] {
            let position = try position(ofItem: item.id.description)
            sections[position.section].items[position.item] = item
        }
    }

    private struct Arrival {
        var section: String
        var index: Int
        var item: Item
    }

    private mutating func takeItem(_ id: String) throws -> Item {
        let position = try position(ofItem: id)
        return sections[position.section].items.remove(at: position.item)
    }

    private mutating func takeSection(_ id: String) throws -> Wire.FilledSection {
        sections.remove(at: try index(ofSection: id))
    }

    private func index(ofSection id: String) throws -> Int {
        guard let index = sections.firstIndex(where: { $0.section.id.rawValue == id }) else {
            throw InvalidStep()
        }
        return index
    }

    private func position(ofItem id: String) throws -> (section: Int, item: Int) {
        for (section, filled) in sections.enumerated() {
            if let item = filled.items.firstIndex(where: { $0.id.description == id }) { return (section, item) }
        }
        throw InvalidStep()
    }
}
