/// The error of an edit or a difference that was rejected. The snapshot or data source is unchanged.
public struct DiffableError: Error {
    /// The kind of error. The names are stable across versions.
    public enum Code: String, Sendable {
        /// Two sections of the snapshot have this identifier.
        case duplicateSection
        /// Two items of the snapshot have this identifier, in one section or in two.
        case duplicateItem
        /// No section has this identifier.
        case unknownSection
        /// No item has this identifier.
        case unknownItem
        /// Items were added to the last section, but there is no section.
        case noSections
        /// A change has a position that does not exist in the old or the new snapshot.
        case positionOutOfRange
        /// Two insertions or moves have the same position in the new snapshot.
        case positionTaken
        /// The snapshot has another identifier at the position of a change: the difference is of another snapshot.
        case identifierMismatch
        /// Two changes of this identifier contradict each other, such as a deletion and a move, or two moves.
        case conflictingChanges
        /// A deleted section still has items.
        case sectionNotEmpty
        /// The item may not be moved by a user.
        case reorderingDenied
        /// An observer applied a snapshot that was not edited from the newest one, so the changes of another observer
        /// would be lost. Edit `snapshot()`, or use `update`.
        case staleSnapshot
    }

    /// The kind of error.
    public let code: Code
    /// The identifier of the section or item, or the position of a move; nil for `noSections` and `staleSnapshot`.
    public let identifier: (any Hashable & Sendable)?
    /// The operation that failed, such as `appendItems` or `SnapshotPatch`.
    public let operation: String

    /// The index paths of both items for `duplicateItem`, otherwise empty.
    public let indexPaths: [ItemIndexPath]
    /// The indices of both sections for `duplicateSection`, otherwise empty.
    public let sectionIndices: [Int]

    // Not inlinable, so that callers do not contain a copy of this code.
    @usableFromInline
    package init(
        _ code: Code, _ identifier: (any Hashable & Sendable)? = nil, at indexPaths: [ItemIndexPath] = [],
        sections: [Int] = [], in operation: StaticString
    ) {
        self.code = code
        self.identifier = identifier
        self.indexPaths = indexPaths
        sectionIndices = sections
        self.operation = operation.description
    }
}

extension DiffableError: Equatable {
    /// Returns true if code, identifier, positions and operation are equal.
    public static func == (a: DiffableError, b: DiffableError) -> Bool {
        a.code == b.code && a.operation == b.operation && a.indexPaths == b.indexPaths
            && a.sectionIndices == b.sectionIndices
            && a.identifier.map { AnyHashable($0) } == b.identifier.map { AnyHashable($0) }
    }
}

extension DiffableError: CustomStringConvertible {
    /// One line of printable ASCII, because identifiers may come from a network and be printed on a terminal.
    public var description: String {
        let name = identifier.map { identifier in
            " \"" + "\(identifier)".unicodeScalars.map { $0.escaped(asASCII: true) }.joined() + "\""
        }
        let positions = indexPaths.map(\.description) + sectionIndices.map(\.description)
        return "\(operation): \(code.rawValue)\(name ?? "")"
            + (positions.isEmpty ? "" : " at \(positions.joined(separator: " and "))")
            + (code == .staleSnapshot ? ": edit snapshot() of the data source, or use update" : "")
    }
}
