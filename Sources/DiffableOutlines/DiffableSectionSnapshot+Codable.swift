import Diffable

/// An item of an encoded outline. The parent of an item is the last earlier item whose `level` is smaller by one.
private struct OutlineEntry<Item> {
    var item: Item
    var level: Int
    var isExpanded: Bool

    enum CodingKeys: CodingKey {
        case item, level, isExpanded
    }
}

extension OutlineEntry: Encodable where Item: Encodable {
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(item, forKey: .item)
        try container.encode(level, forKey: .level)
        if isExpanded { try container.encode(true, forKey: .isExpanded) }
    }
}

extension OutlineEntry: Decodable where Item: Decodable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        item = try container.decode(Item.self, forKey: .item)
        level = try container.decode(Int.self, forKey: .level)
        isExpanded = try container.decodeIfPresent(Bool.self, forKey: .isExpanded) ?? false
    }
}

extension DiffableSectionSnapshot: Encodable where Item: Encodable {
    /// Writes a flat list of all items, each before its descendants: the `item`, its `level`, and `isExpanded` if this
    /// is true. O(n)
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for step in steps() {
            try container.encode(
                OutlineEntry(item: step.node.item, level: step.level, isExpanded: step.node.isExpanded))
        }
    }
}

extension DiffableSectionSnapshot: Decodable where Item: Decodable {
    /// Decodes the format of `encode(to:)`. O(n)
    ///
    /// - Throws: `DecodingError.dataCorrupted` if an item occurs twice (with an underlying `DiffableError`), or has a level
    ///   that is negative or has no parent; the errors of the decoder.
    public init(from decoder: any Decoder) throws {
        self.init()
        var container = try decoder.unkeyedContainer()
        // The last item of each level that can be a parent.
        var path: [Item.ID] = []
        while !container.isAtEnd {
            let index = container.currentIndex
            let entry = try container.decode(OutlineEntry<Item>.self)
            guard (0...path.count).contains(entry.level) else {
                throw corruption("item \(index) has level \(entry.level) but no parent", at: container.codingPath)
            }
            path.removeSubrange(entry.level...)
            do {
                try append([entry.item], to: path.last)
            } catch {
                throw corruption("item \(index) is a duplicate", at: container.codingPath, cause: error)
            }
            nodes[entry.item.id]?.isExpanded = entry.isExpanded
            path.append(entry.item.id)
        }
    }
}

/// Returns the error for malformed data.
private func corruption(_ description: String, at path: [any CodingKey], cause: DiffableError? = nil) -> DecodingError {
    .dataCorrupted(.init(codingPath: path, debugDescription: description, underlyingError: cause))
}
