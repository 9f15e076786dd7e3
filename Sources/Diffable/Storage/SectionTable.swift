/// The sections of a snapshot in their order, each slot its index, so that an edit other than at the end rebuilds it.
@usableFromInline
struct SectionTable<Section: Identifiable & Sendable>: Sendable where Section.ID: Sendable {
    @usableFromInline typealias Store = ElementStore<Section>

    @usableFromInline var store = Store()
    @usableFromInline var token = StoreToken()

    @inlinable init() {}

    @inlinable var count: Int { Int(store.count) }

    @inlinable subscript(index: Int) -> Section { store.entries[index].element }

    @inlinable func identifier(of index: Int) -> Section.ID { store.entries[index].identifier }

    @inlinable func index(of identifier: Section.ID) -> Int? { index(of: identifier, hash: Store.hash(of: identifier)) }

    @inlinable
    func index(of identifier: Section.ID, hash: UInt32) -> Int? {
        let slot = store.slot(of: identifier, hash: hash)
        return slot == noSlot ? nil : Int(slot)
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
            let hash = Store.hash(of: identifier)
            guard store.slot(of: identifier, hash: hash) == noSlot else {
                rearrange(Array(0..<Int(first)))
                throw duplicate(identifier)
            }
            store.index.insertNew(store.store(section, identifier, hash: hash), hash: hash)
        }
    }

    /// Gives the section at an index other content with the same identifier.
    @inlinable
    mutating func replace(_ index: Int, with section: Section) {
        token = StoreToken()
        store.entries[index].element = section
    }

    /// Makes `order` the sections: for each new index the present one. Hashes nothing.
    @inlinable
    mutating func rearrange(_ order: [Int]) {
        token = StoreToken()
        var arranged = Store()
        arranged.reserve(order.count)
        for index in order { arranged.append(index..<index + 1, of: store) }
        store = arranged
    }
}
