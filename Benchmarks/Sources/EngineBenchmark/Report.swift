/// Prints the figures of the benchmark.
struct Report {
    let json: Bool

    var heading: [String] {
        if json { return [] }
        return [
            "median, min and p99 in ms, of as many runs as a stable median needs (p99 is the longest of fewer than 100);",
            "peak: peak heap above the start, in kB; allocs: allocations; both in the first call, which includes what an",
            "engine keeps; ×: the median as a multiple of Diffable's in the same run. --help describes the workloads.",
            "",
            row("workload", "ids", "engine", "median", "min", "p99", "runs", "changes", "peak", "allocs", "×"),
        ]
    }

    /// Prints the figures of one workload with one kind of identifier.
    func lines(of figures: [Figure]) -> [String] {
        if json { return figures.map(object) }
        let own = figures.first { $0.engine == "Diffable" }
        return figures.map { figure in
            row(
                figure.workload, figure.ids, figure.engine,
                decimal(figure.medianMilliseconds), decimal(figure.minMilliseconds),
                decimal(figure.percentile99Milliseconds), "\(figure.runs)",
                figure.changes.map { "\($0)" } ?? "-", decimal(Double(figure.heap.peakBytes) / 1_000),
                "\(figure.heap.allocations)",
                own.map { decimal(figure.medianMilliseconds / $0.medianMilliseconds) } ?? "-")
        }
    }

    private func object(_ figure: Figure) -> String {
        let fields = [
            ("workload", quoted(figure.workload)), ("engine", quoted(figure.engine)), ("ids", quoted(figure.ids)),
            ("median_ms", "\(figure.medianMilliseconds)"), ("min_ms", "\(figure.minMilliseconds)"),
            ("p99_ms", "\(figure.percentile99Milliseconds)"),
            ("changes", figure.changes.map { "\($0)" } ?? "null"), ("peak_bytes", "\(figure.heap.peakBytes)"),
            ("allocations", "\(figure.heap.allocations)"),
        ]
        return "{" + fields.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    }

    /// Returns a name in quotes. The names of this package need no escapes.
    private func quoted(_ name: String) -> String { "\"\(name)\"" }

    private func row(_ cells: String...) -> String {
        let widths = [10, 4, 21, 10, 10, 10, 5, 8, 9, 7, 9]
        let texts = zip(cells, widths).enumerated().map { column, cell in
            column < 3 ? padded(cell.0, to: cell.1) : leading(cell.0, to: cell.1)
        }
        return texts.joined(separator: " ")
    }

    /// Three significant digits, but at most two decimals from 1 on.
    private func decimal(_ value: Double) -> String {
        if value == 0 { return "0" }
        let scale: Double = value >= 100 ? 1 : value >= 1 ? 100 : value >= 0.1 ? 1_000 : 100_000
        let (whole, rest) = Int((value * scale).rounded()).quotientAndRemainder(dividingBy: Int(scale))
        return scale == 1 ? "\(whole)" : "\(whole)." + String("\(Int(scale) + rest)".dropFirst())
    }
}

func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
}

private func leading(_ text: String, to width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
}
