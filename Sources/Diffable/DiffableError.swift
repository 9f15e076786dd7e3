/// Why a snapshot or a data source refused an edit or a difference. What it was asked of is untouched.
public struct DiffableError: Error {
    /// What was wrong, stable across versions.
    public enum Code: String, CaseIterable, Sendable {
        /// A section with this identifier is in the snapshot already, or comes twice in the call.
        case duplicateSection
        /// An item with this identifier is in the snapshot already, in whatever section, or comes twice in the call.
        case duplicateItem
        /// No section has this identifier.
        case unknownSection
        /// No item has this identifier.
        case unknownItem
        /// Items were to go to the last section, and there is none.
        case noSections
        /// A change names a position that the snapshot before it, or after it, does not have.
        case positionOutOfRange
        /// Two changes put something in the same place.
        case positionTaken
        /// A change expects this identifier where the snapshot has another: the difference is for another snapshot.
        case identifierMismatch
        /// Two changes to this identifier exclude each other: it is deleted and moved, or moved twice.
        case conflictingChanges
        /// A section is deleted while items stay in it.
        case sectionNotEmpty
        /// A viewer wants to move this item, and its owner does not let it.
        case reorderingDenied
    }

    /// What was wrong.
    public let code: Code
    /// The section or item at fault, or, where an item was to be moved, the position; nil for `noSections` alone.
    public let identifier: (any Hashable & Sendable)?
    /// What was tried: the name of the method.
    public let operation: String

    // Not inlinable: what is thrown is made here, once for all modules.
    @usableFromInline
    init(_ code: Code, _ identifier: (any Hashable & Sendable)?, in operation: StaticString) {
        self.code = code
        self.identifier = identifier
        self.operation = operation.description
    }
}

extension DiffableError: Equatable {
    /// True where code, identifier and operation are the same.
    public static func == (a: DiffableError, b: DiffableError) -> Bool {
        a.code == b.code && a.operation == b.operation
            && a.identifier.map { AnyHashable($0) } == b.identifier.map { AnyHashable($0) }
    }
}

extension DiffableError: CustomStringConvertible {
    /// One line of printable ASCII, whatever the identifier holds: identifiers may come from a network and go to a terminal.
    public var description: String {
        guard let identifier else { return "\(operation): \(code.rawValue)" }
        let name = "\(identifier)".unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
        return "\(operation): \(code.rawValue) \"\(name)\""
    }
}
