/// The text of a joke, with one part or two.
package struct JokeText: Hashable, Sendable {
    /// The first part, or the whole text of a joke with one part.
    package let setup: String
    /// The second part; nil for a joke with one part.
    package let punchline: String?

    package init(setup: String, punchline: String?) { (self.setup, self.punchline) = (setup, punchline) }

    package static func single(_ text: String) -> JokeText { JokeText(setup: text, punchline: nil) }

    package static func twoPart(setup: String, punchline: String) -> JokeText {
        JokeText(setup: setup, punchline: punchline)
    }

    /// The setup, and the punchline on the next line.
    package var whole: String { punchline.map { "\(setup)\n\($0)" } ?? setup }

    /// The size in bytes of UTF-8, including the line feed between two parts in a text file.
    package var byteCount: Int { setup.utf8.count + (punchline.map { $0.utf8.count + 1 } ?? 0) }

    /// The number of Unicode code points, including the line feed between two parts. Not of characters, because one can
    /// have thousands of marks.
    package var length: Int { setup.unicodeScalars.count + (punchline.map { $0.unicodeScalars.count + 1 } ?? 0) }
}

/// The warnings of a source, with the names of JokeAPI.
package struct JokeFlags: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let nsfw = JokeFlags(rawValue: 1)
    package static let religious = JokeFlags(rawValue: 2)
    package static let political = JokeFlags(rawValue: 4)
    package static let racist = JokeFlags(rawValue: 8)
    package static let sexist = JokeFlags(rawValue: 16)
    package static let explicit = JokeFlags(rawValue: 32)
    /// A warning with another name.
    package static let other = JokeFlags(rawValue: 64)

    /// Every flag with its name, in the order of their bits.
    package static let named: [(name: String, flag: JokeFlags)] = [
        ("nsfw", .nsfw), ("religious", .religious), ("political", .political),
        ("racist", .racist), ("sexist", .sexist), ("explicit", .explicit), ("other", .other),
    ]

    /// The names of the flags that are set.
    package var names: [String] { Self.named.filter { contains($0.flag) }.map(\.name) }

    /// Creates the flags with these names. An unknown name counts as `other`, because it is a warning, too.
    package init(names: some Sequence<String>) {
        self = names.reduce(into: []) { flags, name in
            if !name.isEmpty { flags.formUnion(Self.named.first { $0.name == name }?.flag ?? .other) }
        }
    }
}

/// The rating of a joke.
package enum Safety: String, Sendable, CaseIterable {
    case safe, unsafe, unknown
}

/// The content of a joke, without its identity.
package struct JokeContent: Hashable, Sendable {
    package var text: JokeText
    /// The language in BCP 47; `und` if unknown.
    package var language: String
    package var categories: [String]
    package var flags: JokeFlags
    package var safety: Safety
    package var details: JokeDetails

    package init(
        text: JokeText, language: String = "und", categories: [String] = [], flags: JokeFlags = [],
        safety: Safety = .unknown, details: JokeDetails = JokeDetails()
    ) {
        (self.text, self.language, self.categories, self.flags) = (text, language, categories, flags)
        (self.safety, self.details) = (safety, details)
    }
}

/// What a source says about a joke beside its text and its rating, each in one line.
package struct JokeDetails: Hashable, Sendable {
    /// An address of http or https.
    package var url: String?
    package var author: String?
    /// The date that the source states, unchanged.
    package var date: String?

    package init(url: String? = nil, author: String? = nil, date: String? = nil) {
        (self.url, self.author, self.date) = (url, author, date)
    }

    /// The values, with nil for those that are missing, in the order of `JokeDetail.allCases`.
    package var values: [String?] { JokeDetail.allCases.map { self[$0] } }

    package subscript(detail: JokeDetail) -> String? {
        get {
            switch detail {
            case .author: author
            case .url: url
            case .date: date
            }
        }
        set {
            switch detail {
            case .author: author = newValue
            case .url: url = newValue
            case .date: date = newValue
            }
        }
    }
}

/// A detail, by its name in the database, in messages, exports and the journal. A new detail is a case here and a property of
/// `JokeDetails`, a migration of the database, a member in the interface text, and a value of some source.
package enum JokeDetail: String, CaseIterable, Sendable {
    case author, url, date
}
