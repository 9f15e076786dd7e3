import JokesClient
import JokesCore
import JokesProtocol
import Terminal
import TextLayout

extension Model {
    /// The page of the sources.
    var sourcesLines: [Line] {
        let time = report.time.map { Line("as of \(clock.timeOfDay($0)) ", .muted) } ?? Line()
        return [.justified(Line(" Sources", Style(.bold, .heading)), time, to: size.columns)] + sourcesWords
    }

    private var sourcesWords: [Line] {
        let width = max(1, size.columns - 2)
        var lines: [Line] = []
        if let refusal = report.refusal {
            lines += wrapped(refusal, .bad, to: width) + [Line()]
        }
        if let sources = report.sources {
            let widest = sources.map(\.name.columns).max() ?? 0
            lines += sources.flatMap { self.lines(of: $0, name: min(widest, width / 3), width: width) }
            if sources.isEmpty { lines += wrapped("No sources configured.", to: width) }
        } else if report.refusal == nil {
            lines += wrapped("Loading sources\u{2026}", .muted, to: width)
        }
        return lines.map { Line("  ") + $0 }
    }

    /// The name of a source, with its state beside or below it.
    private func lines(of source: Wire.SourceHealth, name: Int, width: Int) -> [Line] {
        let isNarrow = width < 40
        let indentation = isNarrow ? 2 : name + 2
        let words = source.stateLines(
            columns: max(1, width - indentation), past: clock.words(for:), future: clock.words(for:))
        if isNarrow { return [Line(source.name, .bold)] + words.map { Line("  ") + $0 } }
        return words.enumerated().map { number, line in
            (number == 0 ? Line(source.name, .bold) : Line()).fitted(to: name) + Line("  ") + line
        }
    }
}

extension Model {
    /// The help, made from the key table.
    var helpLines: [Line] {
        let names = keys.bindings.map { binding in
            let names = binding.keys.map(\.name)
            return binding.action == .section && names.count > 2
                ? "\(names[0])\u{2026}\(names[names.count - 1])" : names.joined(separator: " ")
        }
        let widest = names.map(\.columns).max() ?? 0
        let width = min(widest, max(1, size.columns / 3))
        return [Line(" Keys", Style(.bold, .heading))]
            + zip(names, keys.bindings).flatMap { name, binding in
                let parts = wrapped(binding.summary, to: max(1, size.columns - width - 4))
                return parts.enumerated().map { number, part in
                    Line("  ") + Line(number == 0 ? name : "", .accent).fitted(to: width) + Line("  ") + part
                }
            }
    }
}
