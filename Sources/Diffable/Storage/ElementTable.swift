/// The sections, or the items, of a snapshot by slot: their identifiers, found by hash, and their content.
struct ElementTable<Element: Identifiable & Sendable>: Sendable where Element.ID: Sendable {
    private var identities = IdentityTable<Element.ID>()
    // Empty where the slot is vacant: a deleted element's content is released at once.
    private var contents = PagedArray<Element?>()

    var count: Int { Int(identities.count) }
    var slotLimit: Int { Int(identities.slotLimit) }

    /// The content in `slot`, which must be in use.
    subscript(slot: Slot) -> Element {
        guard let element = contents[slot] else { preconditionFailure("slot \(slot) is vacant") }
        return element
    }

    func identifier(of slot: Slot) -> Element.ID { identities[slot] }

    func slot(of id: Element.ID) -> Slot? { identities.slot(of: id) }

    /// The slot here of the element that has `slot` in `other`. Hashes nothing.
    func slot(matching slot: Slot, of other: ElementTable) -> Slot? {
        identities.slot(matching: slot, of: other.identities)
    }

    /// Whether `slot` here and `other` in `table` have the same identifier and equal content.
    func same(_ slot: Slot, _ other: Slot, in table: ElementTable) -> Bool where Element: Equatable {
        identities[slot] == table.identities[other] && self[slot] == table[other]
    }

    /// Takes in all of `elements`, or, where one is here already or comes twice, none.
    mutating func insert(
        _ elements: [Element], orThrow duplicate: (Element.ID) -> DiffableError
    ) throws(DiffableError) -> [Slot] {
        var slots: [Slot] = []
        slots.reserveCapacity(elements.count)
        for element in elements {
            let id = element.id
            guard let slot = identities.insert(id) else {
                remove(slots)
                throw duplicate(id)
            }
            if slot == contents.count { contents.append(element) } else { contents[slot] = element }
            slots.append(slot)
        }
        return slots
    }

    /// Puts other content with the same identifier into `slot`.
    mutating func replace(_ slot: Slot, with element: Element) {
        contents[slot] = element
    }

    mutating func remove(_ slots: [Slot]) {
        for slot in slots {
            identities.remove(slot)
            contents[slot] = nil
        }
    }
}
