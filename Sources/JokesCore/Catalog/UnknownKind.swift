/// A section or item of an unknown kind, of a newer daemon. It has a position, but is not shown.
package struct UnknownKind: Hashable, Sendable {
    package var kind: String
    /// The names in the message.
    package var id: String

    package init(kind: String, id: String) {
        self.kind = kind
        self.id = id
    }
}
