extension DiffableSnapshot {
    private enum CodingKeys: CodingKey {
        case sections, marks
    }
}

/// A section of an encoded snapshot, with its items.
private struct EncodedSection<Section, Item> {
    var section: Section
    var items: [Item]

    enum CodingKeys: CodingKey {
        case section, items
    }
}

extension EncodedSection: Encodable where Section: Encodable, Item: Encodable {}
extension EncodedSection: Decodable where Section: Decodable, Item: Decodable {}

extension DiffableSnapshot: Encodable
where Section: Encodable, Section.ID: Encodable, Item: Encodable, Item.ID: Encodable {
    /// Writes the `sections` in order, each as a `section` with its `items`, and the `marks` if there are any. O(n)
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        let encodedSections = sections.enumerated().map { index, section in
            EncodedSection(section: section, items: Array(self[section: index]))
        }
        try container.encode(encodedSections, forKey: .sections)
        if !marks.isEmpty { try container.encode(marks, forKey: .marks) }
    }
}

extension DiffableSnapshot: Decodable
where Section: Decodable, Section.ID: Decodable, Item: Decodable, Item.ID: Decodable {
    /// Decodes the format of `encode(to:)`. O(n)
    ///
    /// - Throws: `DecodingError.dataCorrupted` with an underlying `DiffableError` if a section or an item occurs twice,
    ///   or a marked section or item does not exist; the errors of the decoder.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let encodedSections = try container.decode([EncodedSection<Section, Item>].self, forKey: .sections)
        let marks = try container.decodeIfPresent(SnapshotMarks<Section.ID, Item.ID>.self, forKey: .marks)
        do {
            self.init(encodedSections.map { ($0.section, $0.items) })
            try validate(in: "decode")
            try setMarks(marks ?? SnapshotMarks())
        } catch {
            throw DecodingError.dataCorrupted(
                .init(codingPath: container.codingPath, debugDescription: "\(error)", underlyingError: error))
        }
    }
}
