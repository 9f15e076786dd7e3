/// A section or a row of a kind that came after this program: it takes its place by its id, and is not shown.
package struct UnknownKind: Hashable, Sendable {
    package var kind: String
    /// As it came over the wire.
    package var id: String

    package init(kind: String, id: String) {
        self.kind = kind
        self.id = id
    }
}
