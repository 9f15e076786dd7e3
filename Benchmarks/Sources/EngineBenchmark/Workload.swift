/// A named pair of lists to compare.
struct Workload: Sendable {
    let name: String
    let story: String
    let shape: @Sendable (_ divisor: Int) -> Shape

    /// All workloads in the order of the report. A divisor makes them smaller.
    static let all = [
        Workload(name: "a1", story: "5,000 items: 1,000 deleted, 1,000 inserted, 200 neighbors shuffled") {
            .edited(count: 5_000 / $0, deleted: 1_000 / $0, inserted: 1_000 / $0, shuffled: 200 / $0, seed: 1)
        },
        Workload(
            name: "a2", story: "100,000 items: 10,000 deleted, 10,000 inserted, 2,000 neighbors shuffled", shape: a2),
        Workload(name: "b", story: "100,000 items: one inserted at the start") {
            .insertedInFront(count: 100_000 / $0)
        },
        Workload(name: "c", story: "100,000 items: 3 deleted, 3 inserted, 4 moved, anywhere") {
            .touched(count: 100_000 / $0, deleted: 3, inserted: 3, moved: 4, seed: 3)
        },
        Workload(name: "d", story: "10,000 items reversed") { .reversed(count: 10_000 / $0) },
        Workload(name: "f", story: "100,000 items: the first becomes the last") { .firstToLast(count: 100_000 / $0) },
        Workload(name: "g", story: "100,000 items, equal") { .equal(count: 100_000 / $0) },
        Workload(name: "x", story: "100,000 items shuffled") { .shuffled(count: 100_000 / $0, seed: 4) },
        Workload(name: "z", story: "100,000 items replaced by 100,000 others") { .replaced(count: 100_000 / $0) },
        Workload(name: "fill", story: "an empty list gets 100,000 items") { .filled(count: 100_000 / $0) },
        Workload(name: "clear", story: "100,000 items deleted; the section stays") {
            Shape.filled(count: 100_000 / $0).inverse
        },
        Workload(
            name: "e1",
            story:
                "100 sections of 1,000: 1,000 items moved across, 500 deleted, 500 new; 3 sections moved, 1 deleted, 1 new"
        ) {
            .edited(sections: 100, items: 1_000 / $0, moved: 1_000 / $0, seed: 5)
        },
        Workload(name: "e2", story: "100 sections of 1,000: one item moved across") {
            .movedAcross(sections: 100, items: 1_000 / $0)
        },
        Workload(name: "e3", story: "100 sections of 1,000, equal") { .equal(sections: 100, items: 1_000 / $0) },
        Workload(name: "s-fill", story: "an empty list gets 1,000 sections of 100 items") {
            .filled(sections: 1_000, items: 100 / $0)
        },
        Workload(name: "s-clear", story: "1,000 sections of 100 items deleted") {
            Shape.filled(sections: 1_000, items: 100 / $0).inverse
        },
        Workload(name: "s-replace", story: "1,000 sections of 100 items replaced by others") {
            .replaced(sections: 1_000, items: 100 / $0)
        },
        Workload(name: "i", story: "a2's edits on enum items with strings", shape: a2),
    ]

    @Sendable static func a2(divisor: Int) -> Shape {
        .edited(
            count: 100_000 / divisor, deleted: 10_000 / divisor, inserted: 10_000 / divisor, shuffled: 2_000 / divisor,
            seed: 2)
    }
}
