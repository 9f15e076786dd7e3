import JSON
import JokesCore

extension SourceEntry {
    /// Sets how to request all jokes of a URL, whose answer has this number of items. Returns a remark; nil if the answer
    /// seems to have all jokes.
    mutating func setStrategy(_ root: JSONValue, url: String, itemCount: Int) -> String? {
        let path = url.lowercased().prefix { $0 != "?" && $0 != "#" }
        if itemCount == 1 && items?.contains("*") != true { return setRandom("The answer has one joke") }
        if url.lowercased().contains("random") || path.hasSuffix("/ten")
            || queryNumber(["amount", "count"], url) != nil
        {
            return setRandom("The URL requests random jokes")
        }
        let numbers = PagingNumbers(root, itemCount: itemCount)
        if let link = numbers.link, JSONRequests(url: url, languages: [], JSONMapping()).isNext(link.text, after: url) {
            (strategy, next) = (JSONMapping.Strategy.cursor.rawValue, link.pointer)
        } else if let page = queryNumber(["page", "p"], url), !url.contains("{") {
            (strategy, pages, total) = (JSONMapping.Strategy.page.rawValue, numbers.pages, numbers.total)
            self.url = url[..<page.startIndex] + "{page}" + url[page.endIndex...]
            if Int(page) == 0 { first = 0 }
        } else {
            return numbers.haveMore
                ? "The service may have more pages. To read them, add the number of the page to the URL, such as "
                    + "\"?page=1\", or set \"strategy\": see SOURCES OF TYPE JSON in jokesd.json(5)." : nil
        }
        return
            "The answer is one page of several, so each sync requests all of them (\"strategy\": \"\(strategy ?? "")\")."
    }

    /// Sets the strategy `random`. Returns a remark with the reason.
    mutating func setRandom(_ reason: String) -> String {
        strategy = JSONMapping.Strategy.random.rawValue
        return "\(reason), so each sync sends several requests for random jokes (\"strategy\": \"random\")."
    }
}

/// The numbers and links of pages in an answer.
private struct PagingNumbers {
    /// Pointers to numbers that are larger than those of the answer.
    var pages, total: String?
    /// The next link or cursor.
    var link: (pointer: String, text: String)?
    /// True if the answer states that there are more pages or jokes.
    var haveMore: Bool { pages != nil || total != nil || link != nil }

    // The usual names, as `JSONItemFields.plain` returns them.
    private static let totals = ["total", "count", "totalcount", "totalresults", "totaljokes", "totalitems"]
    private static let allPages = ["pages", "totalpages", "lastpage", "pagecount"]
    private static let links = ["next", "nextpage", "nexturl", "nextpageurl", "nextcursor", "after"]

    init(_ root: JSONValue, itemCount: Int) {
        let outer = JSONRecognition.members(of: root).map { (path: [$0.name], value: $0.value) }
        // Some services have them next to the list, and others in an object such as "meta".
        let inner = outer.flatMap { outer in
            JSONRecognition.members(of: outer.value).map { (path: outer.path + [$0.name], value: $0.value) }
        }
        for (path, value) in outer + inner {
            let (name, pointer) = (JSONItemFields.plain(path.last ?? ""), JSONPointer(steps: path).description)
            let number = value.integer(as: Int.self) ?? 0
            if Self.totals.contains(name) && number > itemCount { total = total ?? pointer }
            if Self.allPages.contains(name) && number > 1 { pages = pages ?? pointer }
            if Self.links.contains(name), let text = (value.string ?? value.number)?.nonEmpty {
                link = link ?? (pointer, text)
            }
        }
    }
}

extension JSONRequests {
    /// Returns whether a text is a link to another page on the server of the URL.
    fileprivate func isNext(_ link: String, after url: String) -> Bool {
        ["http:", "https:", "/", "?"].contains(where: link.hasPrefix) && link != url
            && (try? nextToStore(link, at: JSONCursor.Location(number: 1))) != nil
    }
}

/// Returns the number of a query field with one of these names; nil if the URL has none.
private func queryNumber(_ names: [String], _ url: String) -> Substring? {
    let query = url.drop { $0 != "?" }.dropFirst().prefix { $0 != "#" }
    return query.split(separator: "&").lazy.compactMap { field in
        let parts = field.split(separator: "=", maxSplits: 1)
        return parts.count == 2 && names.contains(parts[0].lowercased()) && Int(parts[1]) != nil ? parts[1] : nil
    }.first
}
