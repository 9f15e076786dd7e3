extension DiffableSnapshot {
    /// Adds sections, without items, after the last one.
    ///
    /// - Throws: `DiffableError` with `duplicateSection`.
    public mutating func appendSections(_ sections: [Section]) throws(DiffableError) {
        try insert(sections, at: arrangement.sections.count, in: "appendSections")
    }

    /// Adds sections, without items, in front of another. O(s).
    ///
    /// - Throws: `DiffableError` with `duplicateSection` or `unknownSection`.
    public mutating func insertSections(
        _ sections: [Section], beforeSection neighbour: Section.ID
    ) throws(DiffableError) {
        let slot = try sectionSlot(of: neighbour, in: "insertSections")
        try insert(sections, at: arrangement.sectionIndex(of: slot), in: "insertSections")
    }

    /// Adds sections, without items, behind another. O(s).
    ///
    /// - Throws: `DiffableError` with `duplicateSection` or `unknownSection`.
    public mutating func insertSections(
        _ sections: [Section], afterSection neighbour: Section.ID
    ) throws(DiffableError) {
        let slot = try sectionSlot(of: neighbour, in: "insertSections")
        try insert(sections, at: arrangement.sectionIndex(of: slot) + 1, in: "insertSections")
    }

    /// Deletes sections with all their items. An identifier given twice counts once. O(s) and the items deleted.
    ///
    /// - Throws: `DiffableError` with `unknownSection`; nothing is deleted then.
    public mutating func deleteSections(_ identifiers: [Section.ID]) throws(DiffableError) {
        let slots = Array(Set(try sectionSlots(of: identifiers, in: "deleteSections")))
        let items = slots.flatMap(arrangement.items(ofSection:))
        arrangement.removeSections(slots)
        sectionTable.remove(slots)
        itemTable.remove(items)
        marked.forgetSections(slots)
        marked.forgetItems(items)
    }

    /// Puts a section, with its items, in front of another. In front of itself is where it is. O(s).
    ///
    /// - Throws: `DiffableError` with `unknownSection`.
    public mutating func moveSection(
        _ identifier: Section.ID, beforeSection neighbour: Section.ID
    ) throws(DiffableError) {
        let slot = try sectionSlot(of: identifier, in: "moveSection")
        arrangement.moveSection(slot, nextTo: try sectionSlot(of: neighbour, in: "moveSection"), after: false)
    }

    /// Puts a section, with its items, behind another. Behind itself is where it is. O(s).
    ///
    /// - Throws: `DiffableError` with `unknownSection`.
    public mutating func moveSection(
        _ identifier: Section.ID, afterSection neighbour: Section.ID
    ) throws(DiffableError) {
        let slot = try sectionSlot(of: identifier, in: "moveSection")
        arrangement.moveSection(slot, nextTo: try sectionSlot(of: neighbour, in: "moveSection"), after: true)
    }

    /// Gives the section that has this `id` this content. Its items and its place stay.
    ///
    /// - Throws: `DiffableError` with `unknownSection`.
    public mutating func replaceSection(_ section: Section) throws(DiffableError) {
        sectionTable.replace(try sectionSlot(of: section.id, in: "replaceSection"), with: section)
    }

    func sectionSlot(of identifier: Section.ID, in operation: String) throws(DiffableError) -> Slot {
        guard let slot = sectionTable.slot(of: identifier) else {
            throw DiffableError(.unknownSection, identifier, in: operation)
        }
        return slot
    }

    func sectionSlots(of identifiers: [Section.ID], in operation: String) throws(DiffableError) -> [Slot] {
        try identifiers.map { identifier throws(DiffableError) in try sectionSlot(of: identifier, in: operation) }
    }

    private mutating func insert(
        _ sections: [Section], at index: Int, in operation: String
    ) throws(DiffableError) {
        let slots = try sectionTable.insert(sections) { DiffableError(.duplicateSection, $0, in: operation) }
        arrangement.insertSections(slots, at: index)
    }
}
