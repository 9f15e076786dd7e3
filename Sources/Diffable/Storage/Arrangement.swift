/// What stands where in a snapshot, in slots alone: the order of the sections, and of the items in each.
///
/// The items of a section are a list of chunks, and each item knows its chunk, not its position. An edit rewrites the
/// chunks it touches and leaves the others shared with every copy; a position is found by looking through one chunk and
/// along the list of chunks, which for 100,000 items is a few hundred integers each.
struct Arrangement: Sendable {
    typealias ChunkNumber = UInt32

    struct Chunk: Sendable {
        var section: Slot
        var slots: ContiguousArray<Slot> = []
    }

    struct Body: Sendable {
        var chunks: [ChunkNumber] = []
        var count = 0
    }

    static let chunkCapacity = 256
    static let noChunk = ChunkNumber.max

    var sections: [Slot] = []
    var bodies: [Body] = []
    var chunks: [Chunk] = []
    var vacantChunks: [ChunkNumber] = []
    var homes = PagedArray<ChunkNumber>()
    var itemCount = 0

    func sectionIndex(of section: Slot) -> Int {
        guard let index = sections.firstIndex(of: section) else { preconditionFailure("section is not arranged") }
        return index
    }

    func itemCount(ofSection section: Slot) -> Int {
        section < bodies.count ? bodies[Int(section)].count : 0
    }

    func items(ofSection section: Slot) -> [Slot] {
        guard section < bodies.count else { return [] }
        let body = bodies[Int(section)]
        var slots: [Slot] = []
        slots.reserveCapacity(body.count)
        for chunk in body.chunks { slots.append(contentsOf: chunks[Int(chunk)].slots) }
        return slots
    }

    /// All items in order, section after section.
    func items() -> [Slot] {
        var slots: [Slot] = []
        slots.reserveCapacity(itemCount)
        for section in sections { slots.append(contentsOf: items(ofSection: section)) }
        return slots
    }

    func section(ofItem item: Slot) -> Slot {
        chunks[Int(homes[item])].section
    }

    func offset(ofItem item: Slot) -> Int {
        let home = homes[item]
        let chunk = chunks[Int(home)]
        guard var offset = chunk.slots.firstIndex(of: item) else { preconditionFailure("item is not in its chunk") }
        for earlier in bodies[Int(chunk.section)].chunks {
            if earlier == home { break }
            offset += chunks[Int(earlier)].slots.count
        }
        return offset
    }

    /// The item's number among all items, in order.
    func index(ofItem item: Slot) -> Int {
        let own = section(ofItem: item)
        var index = offset(ofItem: item)
        for section in sections {
            if section == own { break }
            index += itemCount(ofSection: section)
        }
        return index
    }

    func item(at offset: Int, ofSection section: Slot) -> Slot? {
        guard offset >= 0, offset < itemCount(ofSection: section) else { return nil }
        var rest = offset
        for number in bodies[Int(section)].chunks {
            let slots = chunks[Int(number)].slots
            if rest < slots.count { return slots[rest] }
            rest -= slots.count
        }
        preconditionFailure("a section's count differs from its chunks")
    }
}
