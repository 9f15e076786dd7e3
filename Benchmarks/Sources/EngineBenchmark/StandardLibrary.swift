/// The standard library with the same lists: `difference(from:).inferringMoves()` of the identifiers. Sections are
/// flattened, because the standard library has none.
///
/// Nil if it takes too long. Its cost grows with items times changes: a shuffle of 100,000 takes hours, and a2's edits
/// on strings most of a minute. If a call takes seconds, it runs once, with one kind of identifier.
func standardLibrary<ID: BenchmarkIdentifier>(
    comparing shape: Shape, ids _: ID.Type, on workload: String
) -> Contender? {
    let takesSeconds = ["a2", "d", "e1"].contains(workload)
    if ["x", "z", "fill", "clear", "s-fill", "s-clear", "s-replace", "i"].contains(workload)
        || (takesSeconds && ID.kind != "uuid")
    {
        return nil
    }
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

/// Arrays and sets of the identifiers, as a program without an engine would use them; nil for a workload that needs more.
func byHand<ID: BenchmarkIdentifier>(comparing shape: Shape, ids _: ID.Type, on workload: String) -> Contender? {
    let old = shape.before.map { $0.mintedIdentifiers(ID.self) }
    let new = shape.after.map { $0.mintedIdentifiers(ID.self) }
    switch workload {
    case "g", "e3":
        return Contender("Array ==", on: workload, ids: ID.kind, prepare: { (old, new) }) {
            $0.0 == $0.1
        } check: { _, isEqual in
            try WrongResult.unless(isEqual, "\(workload), arrays: not equal")
            return 0
        }
    case "z":
        return Contender("Set", on: workload, ids: ID.kind, prepare: { (old[0], new[0]) }) { lists in
            let (before, after) = (Set(lists.0), Set(lists.1))
            return (
                lists.0.indices.filter { !after.contains(lists.0[$0]) },
                lists.1.indices.filter { !before.contains(lists.1[$0]) }
            )
        } check: { _, changes in
            try WrongResult.unless(
                changes.0.count + changes.1.count == shape.fewestChanges, "\(workload), sets: wrong changes")
            return changes.0.count + changes.1.count
        }
    case "fill", "clear":
        let list = workload == "fill" ? new[0] : old[0]
        return Contender("Array", on: workload, ids: ID.kind, prepare: { list }) { list in
            list.enumerated().map { (position: $0, id: $1) }
        } check: { _, changes in
            try WrongResult.unless(changes.count == shape.fewestChanges, "\(workload), array: wrong changes")
            return changes.count
        }
    default: return nil
    }
}
