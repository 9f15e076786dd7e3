/// How a batch stands in a sweep: one walk through all that a source has, in as many batches as it takes.
///
/// A sweep goes on across restarts. Once it is complete, the jokes of the source that came in no batch since it began
/// are missing.
package enum SweepPart: Hashable, Sendable {
    /// In none, such as a random draw: what is not in it says nothing.
    case outside
    /// Begins a sweep, and with it forgets one that was not completed.
    case beginning
    /// Neither the first of its sweep nor the last.
    case inside
    /// Completes the sweep that was begun; where none was, it is like one outside.
    case end
    /// All that the source has.
    case whole

    /// The part of a sweep that a batch is by where it lies in it.
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
