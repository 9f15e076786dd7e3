/// How figures are printed.
struct Report {
    let json: Bool

    func begin() {
        if !json { print(row(["part", "what", "", "p50", "p95", "most", "yardstick", "×", "", ""])) }
    }

    func show(_ figure: Figure) {
        let (median, tail, most) = (
            percentile(figure.times, 50), percentile(figure.times, 95), percentile(figure.times, 100)
        )
        let yardstick = percentile(figure.yardstick.times, 50)
        if json {
            let numbers = [
                ("p50", median), ("p95", tail), ("most", most), ("yardstick_p50", yardstick),
                ("times_yardstick", median / yardstick),
            ]
            let fields =
                [
                    ("part", figure.part), ("what", figure.what), ("unit", figure.unit),
                    ("yardstick", figure.yardstick.what),
                ].map {
                    "\"\($0)\":\"\($1.replacing("\"", with: "\\\""))\""
                } + numbers.map { "\"\($0)\":\($1)" } + ["\"calls\":\(figure.times.count)"]
            return print("{" + fields.joined(separator: ",") + "}")
        }
        print(
            row([
                figure.part, figure.what, figure.unit, thousandths(median), thousandths(tail), thousandths(most),
                thousandths(yardstick), thousandths(median / yardstick), figure.yardstick.what, figure.note,
            ]))
    }

    private func percentile(_ times: [Double], _ part: Int) -> Double {
        let sorted = times.sorted()
        return sorted.isEmpty ? .nan : sorted[min(sorted.count * part / 100, sorted.count - 1)]
    }

    private func row(_ cells: [String]) -> String {
        zip(cells, [8, 35, 2, -9, -9, -9, -9, -9, 40, 0]).map { cell, width in
            let space = String(repeating: " ", count: max(0, abs(width) - cell.count))
            return width < 0 ? space + cell : cell + space
        }.joined(separator: " ")
    }

    private func thousandths(_ value: Double) -> String {
        guard value.isFinite else { return "-" }
        let (whole, rest) = Int((value * 1000).rounded()).quotientAndRemainder(dividingBy: 1000)
        return "\(whole)." + "\(1000 + rest)".dropFirst()
    }
}
