import Glibc

/// A named part of a benchmark of a full store. `--only` selects parts by name.
package protocol Part {
    static var name: String { get }
    /// A description of one line.
    static var summary: String { get }

    static func measure(_ cache: Cache) async throws -> [Figure]
}

extension BenchmarkProgram {
    /// Runs the selected parts in order on one cache, and prints their figures.
    package static func run(_ name: String, _ parts: [any Part.Type]) async {
        await BenchmarkProgram(name, parts: parts.map { ($0.name, $0.summary) }).run { options, folder in
            let report = Report(json: options.json)
            report.begin()
            let cache = try await Cache(folder: folder, jokes: options.jokes)
            for part in parts where options.only.isEmpty || options.only.contains(part.name) {
                for figure in try await part.measure(cache) { report.show(figure) }
                // The figures appear at once even if the output is a file.
                fflush(nil)
            }
        }
    }
}

/// Measured values, and those of a yardstick from the same run.
package struct Figure {
    let part: String
    let what: String
    /// The value of each call, in the unit.
    let values: [Double]
    let yardstick: Yardstick?
    let unit: String
    let note: String

    /// The name and the values of the yardstick.
    package typealias Yardstick = (what: String, values: [Double])

    /// - Parameters:
    ///   - part: The name of the part.
    ///   - what: A name for the values.
    ///   - values: The value of each call, in the unit.
    ///   - yardstick: The values to compare with.
    ///   - unit: The unit of both lists of values.
    ///   - note: An additional text for people.
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

/// Returns the duration of a call in milliseconds.
package func milliseconds(_ body: () throws -> Void) rethrows -> Double {
    let start = ContinuousClock.now
    try body()
    return start.duration(to: .now) / .milliseconds(1)
}
