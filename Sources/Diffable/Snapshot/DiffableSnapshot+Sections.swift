extension DiffableSnapshot {
    /// Appends sections without items. O(sections added), amortized
    ///
    /// - Throws: `DiffableError` with `duplicateSection`. Nothing is added then.
    @inlinable
    public mutating func appendSections(_ sections: [Section]) throws(DiffableError) {
        try append(sections, in: "appendSections")
    }

    /// Inserts sections without items before another section. O(p log p + sections added)
    ///
    /// - Throws: `DiffableError` with `duplicateSection` or `unknownSection`. Nothing is added then.
    @inlinable
    public mutating func insertSections(
        _ sections: [Section], beforeSection neighbor: Section.ID
    ) throws(DiffableError) {
        try insert(sections, at: try indexOfSection(neighbor, in: "insertSections"))
    }

    /// Inserts sections without items after another section. O(p log p + sections added)
    ///
    /// - Throws: `DiffableError` with `duplicateSection` or `unknownSection`. Nothing is added then.
    @inlinable
    public mutating func insertSections(
        _ sections: [Section], afterSection neighbor: Section.ID
    ) throws(DiffableError) {
        try insert(sections, at: try indexOfSection(neighbor, in: "insertSections") + 1)
    }

    /// Deletes sections with their items. An identifier may be given twice. O(p log p), and O(items deleted) if items are
    /// marked; O(n) if the snapshot is not hashed
    ///
    /// - Throws: `DiffableError` with `unknownSection`. Nothing is deleted then.
    @inlinable
    public mutating func deleteSections(_ identifiers: [Section.ID]) throws(DiffableError) {
        var isKept = Array(repeating: true, count: numberOfSections)
        for identifier in identifiers { isKept[try indexOfSection(identifier, in: "deleteSections")] = false }
        if marked.hasItems {
            for section in isKept.indices where !isKept[section] {
                marked.unmarkItems(self.identifiers(inSections: section..<section + 1))
            }
        }
        marked.reloadedSections.subtract(identifiers)
        rearrangeSections(isKept.indices.filter { isKept[$0] })
    }

    /// Moves a section with its items before another one. If both identifiers are equal, nothing changes. O(p log p)
    ///
    /// - Throws: `DiffableError` with `unknownSection`.
    @inlinable
    public mutating func moveSection(
        _ identifier: Section.ID, beforeSection neighbor: Section.ID
    ) throws(DiffableError) {
        try moveSection(identifier, nextTo: neighbor, offset: 0)
    }

    /// Moves a section with its items after another one. If both identifiers are equal, nothing changes. O(p log p)
    ///
    /// - Throws: `DiffableError` with `unknownSection`.
    @inlinable
    public mutating func moveSection(
        _ identifier: Section.ID, afterSection neighbor: Section.ID
    ) throws(DiffableError) {
        try moveSection(identifier, nextTo: neighbor, offset: 1)
    }

    /// Replaces the section with the same `id`. The items and the position of the section stay. O(1), or O(s) if a
    /// copy shares the sections
    ///
    /// - Throws: `DiffableError` with `unknownSection`.
    @inlinable
    public mutating func replaceSection(_ section: Section) throws(DiffableError) {
        sectionTable.replace(try indexOfSection(section.id, in: "replaceSection"), with: section)
    }
}

extension DiffableSnapshot {
    /// Returns the index of a section. Throws `unknownSection` if there is no such section.
    @inlinable
    func indexOfSection(_ identifier: Section.ID, in operation: StaticString) throws(DiffableError) -> Int {
        guard let index = sectionTable.index(of: identifier) else {
            throw DiffableError(.unknownSection, identifier, in: operation)
        }
        return index
    }

    @inlinable
    mutating func append(_ sections: [Section], in operation: StaticString) throws(DiffableError) {
        try sectionTable.append(sections) { DiffableError(.duplicateSection, $0, in: operation) }
        arrangement.appendSections(sections.count)
    }

    @inlinable
    mutating func insert(_ sections: [Section], at index: Int) throws(DiffableError) {
        let count = numberOfSections
        try append(sections, in: "insertSections")
        rearrangeSections(Array(0..<index) + Array(count..<count + sections.count) + Array(index..<count))
    }

    @inlinable
    mutating func moveSection(
        _ identifier: Section.ID, nextTo neighbor: Section.ID, offset: Int
    ) throws(DiffableError) {
        let index = try indexOfSection(identifier, in: "moveSection")
        let target = try indexOfSection(neighbor, in: "moveSection")
        guard index != target else { return }
        var order = Array(0..<numberOfSections)
        order.remove(at: index)
        order.insert(index, at: (index < target ? target - 1 : target) + offset)
        rearrangeSections(order)
    }

    /// Reorders the sections. `order` has the current index of each section. Other sections are removed with their
    /// items. O(p log p)
    @inlinable
    mutating func rearrangeSections(_ order: [Int]) {
        sectionTable.rearrange(order)
        arrangement.rearrangeSections(order)
        compactIfNeeded()
    }
}
