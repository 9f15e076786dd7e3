/// The position of a batch in a full sync, which fetches all jokes of a source in one batch or more.
///
/// A full sync continues after a restart. When it is complete, the jokes of the source that were in none of its batches are
/// missing.
package enum SweepPart: Hashable, Sendable {
    /// Not part of a full sync, such as a random joke of the source.
    case outside
    /// Begins a full sync. One that was not completed is forgotten.
    case beginning
    /// Neither the first batch of a full sync nor the last.
    case inside
    /// Completes a full sync; if none was begun, this is the same as `outside`.
    case end
    /// The only batch of a full sync.
    case whole

    /// Creates the position of a batch within a full sync.
    package init(beginning begins: Bool, completing completes: Bool) {
        self =
            switch (begins, completes) {
            case (true, true): .whole
            case (true, false): .beginning
            case (false, true): .end
            case (false, false): .inside
            }
    }

    var begins: Bool {
        self == .beginning || self == .whole
    }

    var completes: Bool {
        self == .end || self == .whole
    }
}
