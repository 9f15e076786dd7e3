import JokesCore
import TextLayout

/// Something that is known of a joke: its name, and what it is.
struct Fact: Hashable {
    let name: String
    let value: String

    /// A fact that is told in one line, whatever its text has in it.
    init(_ name: String, _ value: String) {
        self.init(name, paragraphs: String(value.map { $0.isNewline ? " " : $0 }))
    }

    init(_ name: String, paragraphs: String) {
        self.name = name
        value = paragraphs
    }
}

/// What is known of a joke besides what it tells, under the names that `jokesctl show` has for it.
func facts(_ id: JokeID, _ content: JokeContent, firstSeen: Timestamp, clock: LocalClock) -> [Fact] {
    var facts = [Fact("source", String(id.source)), Fact("id", id.rawValue)]
    if !content.categories.isEmpty {
        let name = content.categories.count == 1 ? "category" : "categories"
        facts.append(Fact(name, content.categories.joined(separator: ", ")))
    }
    facts.append(Fact("language", content.language == "und" ? "unknown" : content.language))
    facts.append(Fact("safety", safetyWords(content)))
    if let author = content.author { facts.append(Fact("author", author)) }
    if let url = content.url { facts.append(Fact("url", url)) }
    if let date = content.upstreamDate { facts.append(Fact("date", date)) }
    facts.append(Fact("first seen", clock.words(for: firstSeen)))
    return facts
}

private func safetyWords(_ content: JokeContent) -> String {
    let flags = content.flags.names.joined(separator: ", ")
    switch content.safety {
    case .safe where flags.isEmpty: return "safe"
    case .unknown where flags.isEmpty: return "unrated"
    case .unsafe where flags.isEmpty: return "unsafe"
    case .safe, .unsafe, .unknown: return "unsafe (\(flags))"
    }
}

/// The facts in lines of at most so many columns: beside each other where the lines are long, else one below the other.
func factLines(_ facts: [Fact], width: Int) -> [Line] {
    if width >= 72 { return flowingLines(facts, width: width) }
    let widest = facts.map(\.name.columns).max() ?? 0
    return facts.flatMap { fact in
        width >= 30
            ? labelledLines(fact, label: widest + 2, width: width)
            : wrapped("\(fact.name): \(fact.value)", to: width).map { Line($0) }
    }
}

private func labelledLines(_ fact: Fact, label: Int, width: Int) -> [Line] {
    wrapped(fact.value, to: max(1, width - label)).enumerated().map { number, part in
        Line(number == 0 ? fact.name : "", .muted).padded(to: label) + Line(part)
    }
}

private func flowingLines(_ facts: [Fact], width: Int) -> [Line] {
    var lines: [Line] = []
    var line = Line()
    for fact in facts {
        let parts = labelledLines(fact, label: fact.name.columns + 1, width: width)
        let first = parts.first ?? Line()
        let longer = line.columns == 0 ? first : line + Line("   ") + first
        if parts.count == 1, longer.columns <= width {
            line = longer
            continue
        }
        // One of several lines has them for itself.
        if line.columns > 0 { lines.append(line) }
        lines += parts.count == 1 ? [] : parts
        line = parts.count == 1 ? first : Line()
    }
    return line.columns > 0 ? lines + [line] : lines
}
