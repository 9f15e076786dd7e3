/// The sections of a snapshot in order. The slot of each section is its index, so every edit except appending and
/// replacing rebuilds the table.
@usableFromInline
struct SectionTable<Section: Identifiable & Sendable>: Sendable where Section.ID: Sendable {
    @usableFromInline typealias Store = ElementStore<Section>

    @usableFromInline var store = Store()
    @usableFromInline var token = StoreToken()

    @inlinable init() {}

    @inlinable var count: Int { Int(store.count) }

    @inlinable subscript(index: Int) -> Section { store.elements[index] }

    @inlinable func identifier(of index: Int) -> Section.ID { store.elements[index].id }

    @inlinable func index(of identifier: Section.ID) -> Int? { index(of: identifier, hash: Store.hash(of: identifier)) }

    @inlinable
    func index(of identifier: Section.ID, hash: UInt32) -> Int? {
        store.slot(of: identifier, hash: hash).map { Int($0) }
    }

    /// Appends all sections, or none if one is a duplicate.
    @inlinable
    mutating func append(
        _ sections: [Section], orThrow duplicate: (Section.ID) -> DiffableError
    ) throws(DiffableError) {
        token = StoreToken()
        let first = store.count
        store.reserve(sections.count)
        for section in sections {
            let identifier = section.id
            let slot = store.append(section, hash: Store.hash(of: identifier))
            guard let earlier = store.insertInIndex(slot) else { continue }
            store.removeSlots(from: first, restoring: [earlier])
            throw duplicate(identifier)
        }
    }

    /// Replaces the content of the section at an index. The identifier must be the same.
    @inlinable
    mutating func replace(_ index: Int, with section: Section) {
        token = StoreToken()
        store.elements[index] = section
    }

    /// Reorders the sections. `order` has the current index of each section. Other sections are removed.
    @inlinable
    mutating func rearrange(_ order: [Int]) {
        token = StoreToken()
        var reordered = Store()
        reordered.reserve(order.count)
        for index in order { reordered.append(index..<index + 1, of: store) }
        store = reordered
    }
}
