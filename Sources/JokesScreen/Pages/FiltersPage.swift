import Diffable
import JokesCore
import JokesProtocol
import Terminal
import TextLayout

/// The last answer about the numbers of jokes.
struct FilterCounts: Hashable, Sendable {
    /// The numbers of all shown jokes, whatever the filters are.
    var counts: StatisticsMethod.Reply?
    var request = PageRequest()
}

/// An entry of the page of filters.
enum FilterEntry: Hashable {
    case allJokes, unseenOnly
    /// A source, a category or a language.
    case name(WritableKeyPath<JokeSelection, NameSelection?>, String)
}

extension Page.Kind {
    static let filters: Page.Kind = Page.Kind(
        name: "filters", title: { "Filters \u{B7} \($0.selectedWords)" }, content: { $0.filtersContent(to: $1) },
        hints: { model in
            [model.keyHint(.reveal, "only"), model.keyHint(.hide, "all but")] + model.clearHints
                + [model.keyHint(.search, "find"), model.keyHint(.help, "help"), model.backHint]
        },
        popupWidth: 44, matches: { $0.content(of: .filters).rows.count }, perform: { $0.performOnFiltersPage($1) },
        refresh: { $0.requestFilterCounts() })
}

/// A group of entries with the numbers of their jokes; nil if a number is not known yet.
private struct FilterGroup {
    let name: String
    var entries: [(entry: FilterEntry, count: Int?)]
}

// MARK: Requests

extension Model {
    /// Requests the numbers of jokes, one request at a time.
    fileprivate mutating func requestFilterCounts() -> [Effect] {
        filterCounts.request.begin() ? [.send(.statistics)] : []
    }

    /// Handles the answer to `requestFilterCounts`. The same entry stays selected.
    mutating func handleFilterCounts(_ answer: Answer) -> [Effect] {
        let entry = selectedFilter
        let isOutdated = filterCounts.request.end(refusal: answer.refusal)
        if case .statistics(let counts) = answer { filterCounts.counts = counts }
        selectFilter(entry)
        return isOutdated && isOpen(.filters) ? requestFilterCounts() : []
    }
}

// MARK: Keys

extension Model {
    fileprivate mutating func performOnFiltersPage(_ action: Action) -> [Effect]? {
        guard [.reveal, .open, .hide].contains(action) else { return nil }
        guard let entry = selectedFilter else { return [] }
        toggle(entry, excluding: action == .hide)
        // An entry without jokes is only there while it is set.
        selectFilter(entry)
        return watch()
    }

    /// Shows all jokes again.
    mutating func clearFilters() -> [Effect] {
        guard !filterNames.isEmpty else {
            notice = Notice(text: "No filter is set; \(keys.name(of: .filters)) sets one")
            return []
        }
        notice = Notice(text: "Filter cleared: \(filterNames.joined(separator: " \u{B7} "))")
        let entry = selectedFilter
        selection = JokeSelection()
        selectFilter(entry)
        return watch()
    }

    private mutating func toggle(_ entry: FilterEntry, excluding: Bool) {
        switch entry {
        case .allJokes: selection.unseen = nil
        case .unseenOnly: selection.unseen = selection.unseen == true ? nil : true
        case .name(let group, let name):
            let list = excluding ? \NameSelection.not : \.only
            var names = selection[keyPath: group] ?? NameSelection()
            let isSet = names[keyPath: list].contains(name)
            names.only.removeAll { $0 == name }
            names.not.removeAll { $0 == name }
            if !isSet { names[keyPath: list].append(name) }
            selection[keyPath: group] = names.all.isEmpty ? nil : names
        }
    }

    /// The entry at the cursor of the page.
    private var selectedFilter: FilterEntry? {
        guard let page = pages.first(where: { $0.kind == .filters }) else { return nil }
        let entries = filterGroups.flatMap(\.entries)
        return entries.indices.contains(page.selected) ? entries[page.selected].entry : nil
    }

    private mutating func selectFilter(_ entry: FilterEntry?) {
        let entries = filterGroups.flatMap(\.entries)
        select(entries.firstIndex { $0.entry == entry }, on: .filters)
    }
}

// MARK: Words

extension Model {
    /// The set filters, in words.
    var filterNames: [String] {
        func words(_ names: NameSelection?, _ word: (String) -> String = { $0 }) -> [String] {
            let only = names?.only.map(word).joined(separator: ", ") ?? ""
            let not = names?.not.map(word).joined(separator: ", ") ?? ""
            return [only, not.isEmpty ? "" : "not \(not)"].filter { !$0.isEmpty }
        }
        return words(selection.source) + words(selection.category) + words(selection.language, languageName)
            + (selection.unseen == true ? ["unseen"] : [])
    }

    /// The number of jokes that the filters and the search select.
    fileprivate var selectedWords: String {
        guard !isAwaitingSnapshot, let section = snapshot?.section(for: listed) else { return "\u{2026}" }
        return search == nil ? counted(section.jokeCount, "joke") : "\(section.countWords) found"
    }

    fileprivate func filtersContent(to width: Int) -> PageContent {
        var content = pageStart(
            filterCounts.request, hasContent: filterCounts.counts != nil, "Counting the jokes\u{2026}", to: width)
        // The first entries stay in their place when the counts come.
        let end = filterCounts.counts == nil ? [Line()] + content.lines : []
        if filterCounts.counts == nil { content.lines = [] }
        for group in filterGroups where !group.entries.isEmpty {
            if !content.rows.isEmpty { content.lines.append(Line()) }
            content.lines.append(Line(group.name, Style(.bold, .heading)))
            for (entry, count) in group.entries {
                content.add(row: [line(of: entry, count, width: width)])
            }
        }
        content.lines += end
        return content
    }

    private func line(of entry: FilterEntry, _ count: Int?, width: Int) -> Line {
        var (isSet, isExcluded) = (false, false)
        switch entry {
        case .allJokes: isSet = selection.unseen != true
        case .unseenOnly: isSet = selection.unseen == true
        case .name(let group, let word):
            let names = selection[keyPath: group]
            (isSet, isExcluded) = (names?.only.contains(word) == true, names?.not.contains(word) == true)
        }
        let mark = isSet ? Line("\u{25CF} ", .accent) : isExcluded ? Line("\u{D7} ", .bad) : Line("\u{25CB} ", .muted)
        let label = mark + Line(name(of: entry))
        return count.map { .justified(label, Line("\($0)", .muted), to: width) } ?? label
    }

    private func name(of entry: FilterEntry) -> String {
        switch entry {
        case .allJokes: "all jokes"
        case .unseenOnly: "unseen only"
        case .name(let group, let word): group == \.language ? languageName(word) : word
        }
    }

    /// The groups with the entries that the search of the page finds.
    private var filterGroups: [FilterGroup] {
        let counts = filterCounts.counts
        let show = FilterGroup(
            name: "Show", entries: [(.allJokes, counts?.jokes), (.unseenOnly, counts?.unseen)])
        let languages = counts?.languages ?? []
        // A language also selects its variants: `en` selects `en-GB`.
        let withVariants = languages.map { language in
            let all = languages.filter { $0.name == language.name || $0.name.hasPrefix(language.name + "-") }
            return NameCount(
                name: language.name, jokes: all.reduce(0) { $0 &+ $1.jokes }, unseen: all.reduce(0) { $0 &+ $1.unseen })
        }
        let groups = [
            show, group("Sources", counts?.sources, \.source), group("Categories", counts?.categories, \.category),
            group("Languages", withVariants, \.language),
        ]
        return groups.map { group in
            FilterGroup(
                name: group.name,
                entries: group.entries.filter { isFound("\(group.name) \(name(of: $0.entry))", on: .filters) })
        }
    }

    /// The entries with jokes; and the set ones without jokes, so that they can be removed. With the filter for unseen jokes,
    /// the numbers are those of unseen jokes.
    private func group(
        _ title: String, _ names: [NameCount]?, _ group: WritableKeyPath<JokeSelection, NameSelection?>
    ) -> FilterGroup {
        let isUnseen = selection.unseen == true
        var entries = (names ?? []).map { name in
            (entry: FilterEntry.name(group, name.name), count: Int?.some(isUnseen ? name.unseen : name.jokes))
        }
        for name in selection[keyPath: group]?.all ?? []
        where names?.contains(where: { $0.name == name }) != true {
            entries.append((.name(group, name), filterCounts.counts.map { _ in 0 }))
        }
        return FilterGroup(name: title, entries: entries)
    }
}

/// The name of a language tag for people.
private func languageName(_ tag: String) -> String { tag == "und" ? "unknown" : tag }
