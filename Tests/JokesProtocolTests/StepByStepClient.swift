import JokesCore
import JokesProtocol

/// A stranger's client: does what docs/protocol.md says, step by step, on plain lists.
struct StepByStepClient {
    /// A step that could not be done.
    struct Lost: Error {}

    private(set) var sections: [Wire.FilledSection]

    /// A client that has this picture.
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
            guard (0...sections.count).contains(index) else { throw Lost() }
            sections.insert(section, at: index)
        }
        let newItems = (difference.insertedItems ?? []).flatMap { run in
            run.items.enumerated().map { Arrival(section: run.section, index: run.index + $0, item: $1) }
        }
        for arrival in (movedItems + newItems).sorted(by: { $0.index < $1.index }) {
            let section = try index(ofSection: arrival.section)
            guard (0...sections[section].items.count).contains(arrival.index) else { throw Lost() }
            sections[section].items.insert(arrival.item, at: arrival.index)
        }
        for section in difference.updatedSections ?? [] {
            sections[try index(ofSection: section.section.id.rawValue)].section = section
        }
        for item in difference.updatedItems ?? [] {
            let place = try place(ofItem: item.item.id.description)
            sections[place.section].items[place.item] = item
        }
    }

    private struct Arrival {
        var section: String
        var index: Int
        var item: Wire.Item
    }

    private mutating func takeItem(_ id: String) throws -> Wire.Item {
        let place = try place(ofItem: id)
        return sections[place.section].items.remove(at: place.item)
    }

    private mutating func takeSection(_ id: String) throws -> Wire.FilledSection {
        sections.remove(at: try index(ofSection: id))
    }

    private func index(ofSection id: String) throws -> Int {
        guard let index = sections.firstIndex(where: { $0.section.section.id.rawValue == id }) else { throw Lost() }
        return index
    }

    private func place(ofItem id: String) throws -> (section: Int, item: Int) {
        for (section, filled) in sections.enumerated() {
            if let item = filled.items.firstIndex(where: { $0.item.id.description == id }) { return (section, item) }
        }
        throw Lost()
    }
}
