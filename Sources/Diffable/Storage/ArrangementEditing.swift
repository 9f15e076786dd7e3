extension Arrangement {
    mutating func insertSections(_ slots: [Slot], at index: Int) {
        sections.insert(contentsOf: slots, at: index)
        for slot in slots { makeRoom(forSection: slot) }
    }

    /// Makes `order` the order of the sections; one that is new has no items. What is left out must be empty.
    mutating func setSections(_ order: [Slot]) {
        sections = order
        for slot in order { makeRoom(forSection: slot) }
    }

    mutating func moveSection(_ section: Slot, nextTo neighbour: Slot, after: Bool) {
        guard section != neighbour else { return }
        sections.remove(at: sectionIndex(of: section))
        sections.insert(section, at: sectionIndex(of: neighbour) + (after ? 1 : 0))
    }

    /// Takes the sections out, and their items with them.
    mutating func removeSections(_ slots: [Slot]) {
        let removed = Set(slots)
        for slot in removed {
            forgetItems(items(ofSection: slot))
            setItems([], ofSection: slot)
        }
        sections.removeAll { removed.contains($0) }
    }

    mutating func appendItems(_ items: [Slot], toSection section: Slot) {
        guard !items.isEmpty else { return }
        let chunk = bodies[Int(section)].chunks.last ?? appendChunk(toSection: section)
        insert(items, into: chunk, at: chunks[Int(chunk)].slots.count)
    }

    mutating func insertItems(_ items: [Slot], nextTo neighbour: Slot, after: Bool) {
        let chunk = homes[neighbour]
        guard let offset = chunks[Int(chunk)].slots.firstIndex(of: neighbour) else {
            preconditionFailure("item is not in its chunk")
        }
        insert(items, into: chunk, at: offset + (after ? 1 : 0))
    }

    mutating func moveItem(_ item: Slot, nextTo neighbour: Slot, after: Bool) {
        guard item != neighbour else { return }
        removeItems([item])
        insertItems([item], nextTo: neighbour, after: after)
    }

    mutating func removeItems(_ items: [Slot]) {
        var touched: Set<ChunkNumber> = []
        for item in items { touched.insert(homes[item]) }
        forgetItems(items)
        var sparse: Set<Slot> = []
        for number in touched {
            let section = chunks[Int(number)].section
            let before = chunks[Int(number)].slots.count
            let homes = homes
            chunks[Int(number)].slots.removeAll { homes[$0] == Self.noChunk }
            let after = chunks[Int(number)].slots.count
            bodies[Int(section)].count -= before - after
            itemCount -= before - after
            if after < Self.chunkCapacity / 8 { sparse.insert(section) }
        }
        for section in sparse { joinSparseChunks(ofSection: section) }
    }

    /// Makes `items` the whole content of `section`, wherever they were before. What was in the section and is not in the
    /// list must be placed elsewhere or forgotten by the caller.
    mutating func setItems(_ items: [Slot], ofSection section: Slot) {
        makeRoom(forSection: section)
        let old = bodies[Int(section)]
        for number in old.chunks { vacate(number) }
        bodies[Int(section)] = Body()
        itemCount -= old.count
        appendItems(items, toSection: section)
    }

    /// Notes that the items stand nowhere any more.
    mutating func forgetItems(_ items: [Slot]) {
        for item in items { homes[item] = Self.noChunk }
    }

    private mutating func makeRoom(forSection section: Slot) {
        while bodies.count <= section { bodies.append(Body()) }
    }

    private mutating func insert(_ items: [Slot], into number: ChunkNumber, at offset: Int) {
        let section = Int(chunks[Int(number)].section)
        chunks[Int(number)].slots.insert(contentsOf: items, at: offset)
        for item in items { setHome(of: item, to: number) }
        bodies[section].count += items.count
        itemCount += items.count
        if chunks[Int(number)].slots.count > Self.chunkCapacity { split(number) }
    }

    /// Cuts a chunk that grew too long into even parts, the first of which keeps its number.
    private mutating func split(_ number: ChunkNumber) {
        let slots = chunks[Int(number)].slots
        let section = chunks[Int(number)].section
        let parts = (slots.count + Self.chunkCapacity - 1) / Self.chunkCapacity
        var numbers: [ChunkNumber] = []
        for part in 1..<parts {
            let bounds = (slots.count * part / parts)..<(slots.count * (part + 1) / parts)
            let new = makeChunk(Chunk(section: section, slots: ContiguousArray(slots[bounds])))
            for slot in slots[bounds] { homes[slot] = new }
            numbers.append(new)
        }
        chunks[Int(number)].slots = ContiguousArray(slots[..<(slots.count / parts)])
        guard let place = bodies[Int(section)].chunks.firstIndex(of: number) else {
            preconditionFailure("chunk is not in its section")
        }
        bodies[Int(section)].chunks.insert(contentsOf: numbers, at: place + 1)
    }

    /// Drops empty chunks and joins small neighbours, so that the list of chunks stays in proportion to the items.
    private mutating func joinSparseChunks(ofSection section: Slot) {
        var kept: [ChunkNumber] = []
        for number in bodies[Int(section)].chunks {
            let slots = chunks[Int(number)].slots
            if let last = kept.last, chunks[Int(last)].slots.count + slots.count <= Self.chunkCapacity / 2 {
                chunks[Int(last)].slots.append(contentsOf: slots)
                for slot in slots { homes[slot] = last }
                vacate(number)
            } else if slots.isEmpty {
                vacate(number)
            } else {
                kept.append(number)
            }
        }
        bodies[Int(section)].chunks = kept
    }

    private mutating func setHome(of item: Slot, to chunk: ChunkNumber) {
        while homes.count <= item { homes.append(Self.noChunk) }
        homes[item] = chunk
    }

    private mutating func appendChunk(toSection section: Slot) -> ChunkNumber {
        let number = makeChunk(Chunk(section: section))
        bodies[Int(section)].chunks.append(number)
        return number
    }

    private mutating func makeChunk(_ chunk: Chunk) -> ChunkNumber {
        if let number = vacantChunks.popLast() {
            chunks[Int(number)] = chunk
            return number
        }
        chunks.append(chunk)
        return ChunkNumber(chunks.count - 1)
    }

    private mutating func vacate(_ number: ChunkNumber) {
        chunks[Int(number)].slots = []
        vacantChunks.append(number)
    }
}
