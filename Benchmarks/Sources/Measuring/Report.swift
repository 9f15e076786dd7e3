/// Prints the figures of a benchmark.
package struct Report {
    private let json: Bool

    /// Prints a table, or one JSON object per line.
    package init(json: Bool) {
        self.json = json
    }

    /// Prints the head of the table.
    package func begin() {
        if !json { print(row(["part", "what", "", "p50", "p95", "max", "yardstick", "×", "", ""])) }
    }

    /// Prints a figure.
    package func show(_ figure: Figure) {
        let (own, other) = (percentiles(figure.values), percentiles(figure.yardstick?.values ?? []))
        let ratio = own[0] / other[0]
        if json { return print(object(figure, own, other, ratio)) }
        let numbers = own + [other[0], ratio]
        print(
            row(
                [figure.part, figure.what, figure.unit] + numbers.map(Self.thousandths)
                    + [figure.yardstick?.what ?? "", figure.note]))
    }

    private func object(_ figure: Figure, _ own: [Double], _ other: [Double], _ ratio: Double) -> String {
        let texts = [
            ("part", figure.part), ("what", figure.what), ("unit", figure.unit),
            ("yardstick", figure.yardstick?.what ?? ""), ("note", figure.note),
        ]
        let names = ["p50", "p95", "max"]
        let numbers =
            Array(zip(names, own)) + Array(zip(names.map { "yardstick_\($0)" }, other)) + [("times_yardstick", ratio)]
        let fields =
            texts.map { "\"\($0)\":\"\($1.replacing("\"", with: "\\\""))\"" }
            + numbers.map { "\"\($0)\":\($1.isFinite ? "\($1)" : "null")" } + ["\"calls\":\(figure.values.count)"]
        return "{" + fields.joined(separator: ",") + "}"
    }

    /// The median, the 95th percentile and the maximum.
    private func percentiles(_ values: [Double]) -> [Double] {
        let sorted = values.sorted()
        return [50, 95, 100].map { sorted.isEmpty ? .nan : sorted[min(sorted.count * $0 / 100, sorted.count - 1)] }
    }

    private func row(_ cells: [String]) -> String {
        zip(cells, [8, 43, 7, -10, -10, -10, -10, -9, 40, 0]).map { cell, width in
            let space = String(repeating: " ", count: max(0, abs(width) - cell.count))
            return width < 0 ? space + cell : cell + space
        }.joined(separator: " ")
    }

    private static func thousandths(_ value: Double) -> String {
        guard value.isFinite else { return "-" }
        let (whole, rest) = Int((value * 1000).rounded()).quotientAndRemainder(dividingBy: 1000)
        return "\(whole)." + "\(1000 + rest)".dropFirst()
    }
}
