import JokesCore

extension Feed {
    /// Reads RSS 0.9x, 1.0 and 2.0, and Atom 0.3 and 1.0, in UTF-8; nil for any other document. Links are relative to `url`.
    /// O(n)
    package init?(xml document: [UInt8], url: String, resolve: @escaping LinkResolver) {
        var reader = FeedReader(document, url, resolve)
        guard let feed = reader.read() else { return nil }
        self = feed
    }
}

/// Reads a feed in XML.
///
/// It reads whatever a person could read, as browsers read HTML: markup that is not well formed is text, an end tag without
/// a start tag is ignored, a missing one is implied, and a document that is cut off has its complete items. It keeps no open
/// elements but the item, one field in it, and one element to skip, so any bytes take linear time. Definitions of a
/// document type are ignored, and external files are never read.
private struct FeedReader {
    private static let roots: Set = ["rss", "rdf", "feed", "channel"]

    /// The base of links, and the language, of an open element.
    private struct Scope {
        var base: String
        var language: String?
    }

    private struct OpenItem {
        var item = FeedItem()
        var scope: Scope
        var permalink: String?
        var ranks: [Rank: Int] = [:]
        var hasLongText = false
    }

    private enum Rank { case title, text, date, author }

    private let bytes: [UInt8]
    private let resolve: LinkResolver
    private var scanner: MarkupScanner
    private var index = 0
    private var names = FeedVocabulary()
    private var feed = Feed()
    private var hasRoot = false
    private var scope: Scope
    private var item: OpenItem?
    private var field: OpenField?
    /// The element that is skipped, and the number of open elements of its name.
    private var skipped: (name: String, count: Int)?

    fileprivate init(_ document: [UInt8], _ url: String, _ resolve: @escaping LinkResolver) {
        (bytes, self.resolve) = (document, resolve)
        scanner = MarkupScanner(document)
        scope = Scope(base: url)
    }

    /// Returns the feed; nil if the document is none.
    fileprivate mutating func read() -> Feed? {
        while index < bytes.count, !feed.isFull {
            let angle = bytes[index...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
            append(text: index..<angle)
            index = angle
            if index == bytes.count { break }
            if let (markup, end) = scanner.markup(at: index) {
                if !hasRoot, case .start(let name, _, _) = markup, name == "html" { return nil }
                handle(markup, endingAt: end)
            } else {
                append(text: index..<index + 1)
                index += 1
            }
        }
        // An item that is cut off may have half a joke. After the last item that is read, another one has begun.
        if feed.isFull || item?.item.body == nil || field?.isText == true { item = nil }
        endItem()
        return hasRoot ? feed : nil
    }

    private mutating func append(text range: Range<Int>) {
        if !range.isEmpty { field?.append(range, of: bytes) }
    }

    // MARK: Tags

    private mutating func handle(_ markup: Markup, endingAt end: Int) {
        index = end
        switch markup {
        case .start(let name, let attributes, let isEmpty):
            start(name, attributes)
            if isEmpty { self.end(name) }
        case .end(let name): self.end(name)
        case .characterData(let range): field?.append(characterData: bytes[range])
        case .comment: break
        }
    }

    private mutating func start(_ name: String, _ range: Range<Int>) {
        if let open = field {
            guard isItem(name) || name != open.name && names.isForeignToHTML(name) else {
                return field!.start(name, isSame: name == open.name)
            }
            // Its end tag is missing.
            endField()
        }
        if let (other, count) = skipped {
            if !isItem(name) {
                if name == other { skipped = (other, count + 1) }
                return
            }
            skipped = nil
        }
        let attributes = range.isEmpty ? [] : scanner.attributes(range)
        names.declare(attributes)
        let feedName = names.feedName(name)
        guard hasRoot else { return startRoot(feedName, attributes) }
        if isItem(name) { return startItem(attributes) }
        if feedName == "channel" { scope = scope(of: attributes, in: scope) }
        if let opened = names.field(name) {
            startField(opened, name, attributes)
        } else if names.isOpaque(name) {
            skipped = (name, 1)
        }
    }

    private func isItem(_ name: String) -> Bool { ["item", "entry"].contains(names.feedName(name)) }

    private mutating func startRoot(_ name: String?, _ attributes: [(name: String, value: String)]) {
        // Elements before the root are messages of the server, such as a warning of PHP.
        guard let name, Self.roots.contains(name) || name == "entry" else { return }
        hasRoot = true
        scope = scope(of: attributes, in: scope)
        if name == "entry" { startItem([]) }
    }

    private mutating func startItem(_ attributes: [(name: String, value: String)]) {
        endItem()
        var opened = OpenItem(scope: scope(of: attributes, in: scope))
        opened.item.id = attributes.first { $0.name == "rdf:about" }?.value.trimmed.nonEmpty
        item = opened
    }

    private mutating func end(_ name: String) {
        // Within the feed, the end tag of an item may be missing. An item may have a license in `rdf:RDF`.
        let closesItem = isItem(name) || ["channel", "feed", "rss"].contains(names.feedName(name))
        if let open = field {
            if name == open.name && open.depth == 0 || closesItem {
                endField()
                if name == open.name { return }
            } else {
                return field!.end(name, isSame: name == open.name)
            }
        }
        if let (other, count) = skipped {
            if name == other {
                skipped = count == 1 ? nil : (other, count - 1)
                return
            }
            if !closesItem { return }
            skipped = nil
        }
        if closesItem { endItem() }
    }

    private func scope(of attributes: [(name: String, value: String)], in outer: Scope) -> Scope {
        var scope = outer
        for (name, value) in attributes {
            if name == "xml:base" { scope.base = resolve(value, outer.base) ?? outer.base }
            if name == "xml:lang", let language = value.trimmed.nonEmpty { scope.language = language }
        }
        return scope
    }

    // MARK: Fields

    private mutating func startField(_ opened: FeedField, _ name: String, _ attributes: [(name: String, value: String)])
    {
        let values = Dictionary(attributes) { first, _ in first }
        let scope = scope(of: attributes, in: item?.scope ?? scope)
        switch opened {
        case .link where values["href"] != nil:
            if values["rel"].map({ $0.lowercased() == "alternate" }) ?? true { add(link: values["href"]!, scope.base) }
        case .category where values["term"] ?? values["label"] != nil:
            if let category = values["term"] ?? values["label"] { item?.item.categories.append(category) }
        case .text, .title:
            guard let content = FeedContent(type: values["type"], mode: values["mode"], of: opened) else {
                skipped = (name, 1)
                return
            }
            let isUsed = item != nil || opened == .title(rank: 0)
            let language = scope.language == (item?.scope ?? self.scope).language ? nil : scope.language
            field = OpenField(opened, name, isUsed ? content : .none, base: scope.base, language: language)
        case .author, .category: field = OpenField(opened, name, .html, base: scope.base)
        case .id:
            field = OpenField(opened, name, .plain, base: scope.base)
            field?.isPermalink = values["ispermalink"]?.lowercased() != "false" && names.feedName(name) == "guid"
        case .date, .language, .rating, .link: field = OpenField(opened, name, .plain, base: scope.base)
        }
    }

    private mutating func endField() {
        guard let ended = field else { return }
        field = nil
        if item == nil { return endFeedField(ended) }
        switch ended.field {
        case .title(let rank): add(ended, .title, rank, \.title)
        case .text(let rank): add(ended, .text, rank, \.body)
        case .date(let rank):
            if let date = rfc3339Date(ended.line), isBetter(.date, rank) { item?.item.date = date }
        case .author(let rank): if let name = ended.person { add(author: name, rank) }
        case .id:
            guard let id = ended.line.nonEmpty else { return }
            item?.item.id = id
            if ended.isPermalink { item?.permalink = resolve(id, nil) }
        case .link:
            // FeedBurner has replaced the link by one of its own.
            if ended.name.hasSuffix("origlink") { item?.item.link = nil }
            add(link: ended.line.replacing("&amp;", with: "&"), ended.base)
        case .category: if let text = ended.text ?? nil { item?.item.categories.append(text) }
        case .language: if let language = ended.line.nonEmpty { item?.item.language = language }
        case .rating: if let flag = ended.flag { item?.item.flags.append(flag) }
        }
    }

    /// A field outside of all items belongs to the feed.
    private mutating func endFeedField(_ ended: OpenField) {
        switch ended.field {
        case .title(rank: 0): feed.title = feed.title ?? (ended.text ?? nil)
        case .language: feed.language = ended.line.nonEmpty ?? feed.language
        case .author(rank: 1): feed.author = feed.author ?? ended.person
        case .rating: if let flag = ended.flag { feed.flags.append(flag) }
        default: break
        }
    }

    private mutating func add(
        _ ended: OpenField, _ kind: Rank, _ rank: Int, _ part: WritableKeyPath<FeedItem, String?>
    ) {
        guard let text = ended.text else {
            item?.hasLongText = true
            return
        }
        guard let text, isBetter(kind, rank) else { return }
        item?.item[keyPath: part] = text
        if let language = ended.language, item?.item.language == nil { item?.item.language = language }
    }

    /// Returns whether a value of this rank replaces what the item has, and remembers the rank.
    private mutating func isBetter(_ kind: Rank, _ rank: Int) -> Bool {
        if let known = item?.ranks[kind], known <= rank { return false }
        item?.ranks[kind] = rank
        return true
    }

    /// Several names of one rank are all authors, up to a length.
    private mutating func add(author name: String, _ rank: Int) {
        if item?.ranks[.author] == rank, let others = item?.item.author {
            if others.utf8.count > 500 { return }
            if !others.split(separator: ", ").contains(name[...]) { item?.item.author = others + ", " + name }
        } else if isBetter(.author, rank) {
            item?.item.author = name
        }
    }

    private mutating func add(link: String, _ base: String) {
        if item?.item.link == nil { item?.item.link = resolve(link, base) }
    }

    // MARK: Items

    private mutating func endItem() {
        field = nil
        skipped = nil
        guard var ended = item else { return }
        item = nil
        // A guid is a link if it is a URL by itself.
        ended.item.link = ended.item.link ?? ended.permalink
        ended.item.language = ended.item.language ?? ended.scope.language
        if ended.hasLongText { feed.refused += 1 } else { feed.add(ended.item) }
    }
}
