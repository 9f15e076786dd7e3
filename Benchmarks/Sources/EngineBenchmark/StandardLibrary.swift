/// The standard library with the same lists: `difference(from:).inferringMoves()` of the identifiers. Sections are
/// flattened, because the standard library has none.
///
/// Nil if it takes too long. Its cost grows with items times changes: a shuffle of 100,000 takes hours, and a2's edits
/// on strings most of a minute. If a call takes seconds, it runs once, with one kind of identifier.
func standardLibrary<ID: BenchmarkIdentifier>(
    comparing shape: Shape, ids _: ID.Type, on workload: String
) -> Contender? {
    let takesSeconds = ["a2", "d", "e1"].contains(workload)
    if ["x", "i"].contains(workload) || (takesSeconds && ID.kind != "uuid") { return nil }
    let old = shape.before.flatMap { $0.mintedIdentifiers(ID.self) }
    let new = shape.after.flatMap { $0.mintedIdentifiers(ID.self) }
    return Contender(
        "stdlib", on: workload, ids: ID.kind,
        prepare: { (old, new) },
        body: { $0.1.difference(from: $0.0).inferringMoves() },
        check: { lists, difference in
            try WrongResult.unless(
                lists.0.applying(difference) == lists.1, "\(workload): the standard library's result does not apply")
            let moves = difference.removals.count { removal in
                if case .remove(_, _, .some) = removal { true } else { false }
            }
            return difference.count - moves
        }
    ).limited(to: takesSeconds ? 1 : .max)
}
