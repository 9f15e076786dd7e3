/// Prints the figures of the benchmark.
struct Report {
    let json: Bool
    let yardstick: Figure

    func show(_ figures: [Figure]) {
        if !json {
            print(Self.row(["stage", "jokes/s", "µs each", "processor", "longest batch", "peak memory", "× Python"]))
        }
        for figure in figures + [yardstick] { print(json ? object(figure) : Self.row(cells(figure))) }
    }

    private func ratio(_ figure: Figure) -> Double {
        figure.jokesPerSecond / yardstick.jokesPerSecond
    }

    private func cells(_ figure: Figure) -> [String] {
        [
            figure.stage, "\(Int(figure.jokesPerSecond))", Self.decimal(1e6 / figure.jokesPerSecond),
            "\(Self.decimal(1e6 * figure.processorSeconds / Double(figure.jokes)))",
            figure.longestBatch.map { "\(Self.decimal($0)) ms" } ?? "-",
            figure.peakBytes.map { "\(Self.decimal(Double($0) / 1e6)) MB" } ?? "-", Self.decimal(ratio(figure)),
        ]
    }

    private func object(_ figure: Figure) -> String {
        let fields = [
            ("stage", "\"\(figure.stage)\""), ("jokes", "\(figure.jokes)"), ("seconds", "\(figure.seconds)"),
            ("processor_seconds", "\(figure.processorSeconds)"),
            ("jokes_per_second", "\(figure.jokesPerSecond)"),
            ("longest_batch_ms", figure.longestBatch.map { "\($0)" } ?? "null"),
            ("peak_bytes", figure.peakBytes.map { "\($0)" } ?? "null"), ("times_python", "\(ratio(figure))"),
        ]
        return "{" + fields.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    }

    private static func row(_ cells: [String]) -> String {
        zip(cells, [16, 9, 9, 9, 14, 12, 9]).enumerated().map { column, cell in
            let space = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
            return column == 0 ? cell.0 + space : space + cell.0
        }.joined(separator: " ")
    }

    /// The number with two decimals.
    private static func decimal(_ value: Double) -> String {
        let (whole, rest) = Int((value * 100).rounded()).quotientAndRemainder(dividingBy: 100)
        return "\(whole)." + "\(100 + rest)".dropFirst()
    }
}
