extension Wire {
    /// `type Difference`, in the order of application of the interface text.
    package struct Difference: Codable, Hashable, Sendable {
        /// The generation to which it applies.
        package var base: Int64
        package var deletedItems: [String]?
        package var deletedSections: [String]?
        package var movedSections: [SectionMove]?
        package var insertedSections: [SectionPlace]?
        package var movedItems: [ItemMove]?
        package var insertedItems: [ItemRun]?
        package var updatedSections: [Section]?
        package var updatedItems: [Item]?

        package init(base: Int64) {
            self.base = base
        }
    }

    /// `type SectionPlace`.
    package struct SectionPlace: Codable, Hashable, Sendable {
        package var section: Section
        package var index: Int

        package init(section: Section, index: Int) {
            self.section = section
            self.index = index
        }
    }

    /// `type SectionMove`.
    package struct SectionMove: Codable, Hashable, Sendable {
        package var id: String
        package var index: Int

        package init(id: String, index: Int) {
            self.id = id
            self.index = index
        }
    }

    /// `type ItemRun`.
    package struct ItemRun: Codable, Hashable, Sendable {
        package var section: String
        package var index: Int
        package var items: [Item]

        package init(section: String, index: Int, items: [Item]) {
            self.section = section
            self.index = index
            self.items = items
        }
    }

    /// `type ItemMove`.
    package struct ItemMove: Codable, Hashable, Sendable {
        package var id: String
        package var section: String
        package var index: Int

        package init(id: String, section: String, index: Int) {
            self.id = id
            self.section = section
            self.index = index
        }
    }
}
