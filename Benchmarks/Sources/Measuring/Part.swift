import Glibc

/// A part of a benchmark that measures what a full store does, with a name to ask for it by.
package protocol Part {
    static var name: String { get }
    /// What it measures, in a line.
    static var summary: String { get }

    static func measure(_ cache: Cache) async throws -> [Figure]
}

extension BenchmarkProgram {
    /// Runs the parts that are asked for, in their order, on one cache, and shows what they measured.
    package static func run(_ name: String, _ parts: [any Part.Type]) async {
        await BenchmarkProgram(name, parts: parts.map { ($0.name, $0.summary) }).run { options, folder in
            let report = Report(json: options.json)
            report.begin()
            let cache = try await Cache(folder: folder, jokes: options.jokes)
            for part in parts where options.only.isEmpty || options.only.contains(part.name) {
                for figure in try await part.measure(cache) { report.show(figure) }
                // Shown when it is known, in a file, too.
                fflush(nil)
            }
        }
    }
}

/// What was measured, beside a yardstick of the same run.
package struct Figure {
    let part: String
    let what: String
    /// Of each call, in the unit.
    let values: [Double]
    let yardstick: Yardstick?
    let unit: String
    let note: String

    /// What it is compared with, and what was measured of that.
    package typealias Yardstick = (what: String, values: [Double])

    /// - Parameters:
    ///   - part: The name of its part.
    ///   - what: What was measured.
    ///   - values: Of each call, in the unit.
    ///   - yardstick: What it is compared with.
    ///   - unit: Of both.
    ///   - note: More that belongs to it, for people.
    package init(
        part: String, what: String, values: [Double], yardstick: Yardstick? = nil, unit: String = "ms",
        note: String = ""
    ) {
        self.part = part
        self.what = what
        self.values = values
        self.yardstick = yardstick
        self.unit = unit
        self.note = note
    }
}

/// The time that a call takes, in milliseconds.
package func milliseconds(_ body: () throws -> Void) rethrows -> Double {
    let start = ContinuousClock.now
    try body()
    return start.duration(to: .now) / .milliseconds(1)
}
