extension DiffableSnapshot {
    /// Appends sections without items. O(sections added), amortized
    @inlinable
    public mutating func appendSections(_ sections: [Section]) {
        if sections.isEmpty { return }
        if !isKnownUniquelyReferenced(&sectionStore) { sectionStore = ElementStore(copying: sectionStore) }
        let first = sectionStore.count
        sectionStore.append(sections)
        if let known = sectionStore.known {
            sectionStore.identify(from: first, in: &known.pointee, after: nil) { _ in true }
        }
        arrangement.appendSections(sections.count)
    }

    /// Inserts sections without items before another section. O(p log p + sections added)
    ///
    /// - Throws: `DiffableError` with `unknownSection`. Nothing is added then.
    public mutating func insertSections(
        _ sections: [Section], beforeSection neighbor: Section.ID
    ) throws(DiffableError) {
        insert(sections, at: try indexOfSection(neighbor, in: "insertSections"))
    }

    /// Inserts sections without items after another section. O(p log p + sections added)
    ///
    /// - Throws: `DiffableError` with `unknownSection`. Nothing is added then.
    public mutating func insertSections(
        _ sections: [Section], afterSection neighbor: Section.ID
    ) throws(DiffableError) {
        insert(sections, at: try indexOfSection(neighbor, in: "insertSections") + 1)
    }

    /// Deletes sections with their items. An identifier may be given twice. O(p log p), and O(items deleted) if items are
    /// marked; O(n) if the snapshot is not hashed
    ///
    /// - Throws: `DiffableError` with `unknownSection`. Nothing is deleted then.
    public mutating func deleteSections(_ identifiers: [Section.ID]) throws(DiffableError) {
        var isKept = Array(repeating: true, count: numberOfSections)
        for identifier in identifiers { isKept[try indexOfSection(identifier, in: "deleteSections")] = false }
        if marked != nil {
            for section in isKept.indices where !isKept[section] { unmarkItems(self[section: section].map(\.id)) }
            mark { $0.reloadedSections.subtract(identifiers) }
        }
        rearrangeSections(isKept.indices.filter { isKept[$0] })
    }

    /// Moves a section with its items before another one. If both identifiers are equal, nothing changes. O(p log p)
    ///
    /// - Throws: `DiffableError` with `unknownSection`.
    public mutating func moveSection(
        _ identifier: Section.ID, beforeSection neighbor: Section.ID
    ) throws(DiffableError) {
        try moveSection(identifier, nextTo: neighbor, offset: 0)
    }

    /// Moves a section with its items after another one. If both identifiers are equal, nothing changes. O(p log p)
    ///
    /// - Throws: `DiffableError` with `unknownSection`.
    public mutating func moveSection(
        _ identifier: Section.ID, afterSection neighbor: Section.ID
    ) throws(DiffableError) {
        try moveSection(identifier, nextTo: neighbor, offset: 1)
    }

    /// Replaces the section with the same `id`. The items and the position of the section stay. O(s)
    ///
    /// - Throws: `DiffableError` with `unknownSection`.
    public mutating func replaceSection(_ section: Section) throws(DiffableError) {
        let index = try indexOfSection(section.id, in: "replaceSection")
        var sections = sections
        sections[index] = section
        sectionStore = ElementStore(sections)
    }
}

extension DiffableSnapshot {
    /// Returns the index of a section. Throws `unknownSection` if there is no such section.
    @inlinable
    func indexOfSection(_ identifier: Section.ID, in operation: StaticString) throws(DiffableError) -> Int {
        guard let index = indexOfSection(identifier) else {
            throw DiffableError(.unknownSection, identifier, in: operation)
        }
        return index
    }

    @usableFromInline
    mutating func insert(_ sections: [Section], at index: Int) {
        let count = numberOfSections
        appendSections(sections)
        rearrangeSections(Array(0..<index) + Array(count..<count + sections.count) + Array(index..<count))
    }

    @usableFromInline
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
    @usableFromInline
    mutating func rearrangeSections(_ order: [Int]) {
        sectionStore = ElementStore(Array(order.map { sections[$0] }))
        arrangement.rearrangeSections(order)
        compactIfNeeded()
    }
}
