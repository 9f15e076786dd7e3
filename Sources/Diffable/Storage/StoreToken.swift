import Synchronization

/// The identity of a store: two stores with the same token have the same elements.
///
/// A table keeps its token next to its store. If the token is uniquely referenced, no copy shares the arrays of the store.
/// If the store is not hashed, its token keeps the identities and the uniqueness that were computed for the store.
@usableFromInline
final class StoreToken: Sendable {
    private final class Box: Sendable {
        let identities: Identities

        init(_ identities: Identities) { self.identities = identities }
    }

    private let box = AtomicLazyReference<Box>()
    // Loading a flag costs less than loading the reference.
    private let hasIdentities = Atomic(false)
    private let isKnownAsUnique = Atomic(false)

    @usableFromInline init() {}

    /// The identities of the store, if an identifier was looked up.
    @usableFromInline var identities: Identities? { isHashed ? box.load()?.identities : nil }

    /// True if `identities` is not nil.
    @usableFromInline var isHashed: Bool { hasIdentities.load(ordering: .acquiring) }

    /// True if the identifiers of a store that is not hashed are known to be unique. A hashed store is always unique; its
    /// token may return false.
    @usableFromInline var isUnique: Bool {
        get { isKnownAsUnique.load(ordering: .relaxed) }
        set { isKnownAsUnique.store(newValue, ordering: .relaxed) }
    }

    /// Keeps the identities of the store for later lookups. Threads may do this at the same time.
    @usableFromInline
    func keep(_ identities: Identities) {
        _ = box.storeIfNil(Box(identities))
        hasIdentities.store(true, ordering: .releasing)
        isUnique = identities.duplicate == nil
    }
}

extension StoreToken {
    /// Returns the identities of the token's store. Hashes its identifiers in the first call.
    @inlinable
    func identities<Element>(of store: ElementStore<Element>) -> Identities {
        if let identities { return identities }
        let identities = store.identities(of: [RowRange(0..<store.elements.count)])
        keep(identities)
        return identities
    }
}

/// The hashes of the identifiers in a store, and an index over the identifiers.
@usableFromInline
struct Identities: Sendable {
    /// The hash of each identifier, by slot.
    @usableFromInline var hashes: ContiguousArray<UInt32> = []
    @usableFromInline var index = IdentityIndex()
    /// The first slot whose identifier an earlier slot already has; nil if there is none. The index has the earlier slot.
    @usableFromInline var duplicate: Slot?

    @inlinable init() {}
}
