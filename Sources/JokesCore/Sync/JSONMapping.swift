package import JSON

/// How a source of type `json` asks its upstream, beside the URL, and how it reads the answers.
package struct JSONMapping: Hashable, Sendable {
    /// How all jokes of an upstream are come by.
    package enum Strategy: String, CaseIterable, Sendable {
        /// One answer holds all there is.
        case whole
        /// Pages by their numbers.
        case page
        /// Stretches of ids or positions, from one number to another.
        case range
        /// Each answer says how the next is asked for.
        case cursor
        /// Each answer is what the upstream draws by lot.
        case random
    }

    /// How a text becomes setup and punchline where the upstream does not part them.
    package enum Split: String, CaseIterable, Sendable {
        case none
        /// Behind the last question mark that has something behind it.
        case question
        /// Behind the first line.
        case newline
    }

    /// What stands in braces in the URL and in values of the query.
    package enum Placeholder: String, CaseIterable, Sendable {
        case limit, page, from, to, cursor
        case language = "lang"
    }

    /// Where an item has the fields of a joke: of several places, the first that holds something counts.
    package struct Fields: Hashable, Sendable {
        package var id: [JSONPointer] = []
        package var setup: [JSONPointer] = []
        package var punchline: [JSONPointer] = []
        /// The joke in one; counts where there is no setup.
        package var text: [JSONPointer] = []
        package var language: [JSONPointer] = []
        package var categories: [JSONPointer] = []
        package var url: [JSONPointer] = []
        package var author: [JSONPointer] = []
        package var date: [JSONPointer] = []

        package init() {}
    }

    // Asking.
    package var headers: [SentField] = []
    package var query: [SentField] = []
    package var strategy = Strategy.whole
    /// What `{limit}` stands for, and how wide a range is.
    package var size = 50
    /// The number of the first page, or where the first range begins.
    package var first = 1
    /// Where an answer says how many pages there are.
    package var pages: JSONPointer?
    /// Where an answer says how many jokes there are.
    package var total: JSONPointer?
    /// Where an answer has what takes the place of `{cursor}` next, or the next URL.
    package var next: JSONPointer?

    // Reading.
    /// Leads to a list of items, or to the only one.
    package var items = JSONPointer.whole
    package var fields = Fields()
    /// Where an item has its warnings; all places count.
    package var flags: [JSONPointer] = []
    /// An answer for which one of these holds is an error.
    package var error: [JSONCondition] = []
    /// An answer for which one of these holds has no jokes, and that is no error.
    package var empty: [JSONCondition] = []
    package var split = Split.none
    /// Whether the texts are HTML.
    package var isHTML = false

    package init() {}
}

/// Something that holds for an answer or does not.
package struct JSONCondition: Hashable, Sendable {
    /// A value that an answer's can be compared with.
    package enum Value: Hashable, Sendable {
        case null
        case bool(Bool)
        case number(Double)
        case string(String)
    }

    package enum Test: Hashable, Sendable {
        case equals(Value)
        case differs(Value)
        /// True where there must be something, false where there must not. A null is nothing.
        case exists(Bool)
    }

    package var pointer: JSONPointer
    package var test: Test

    package init(_ pointer: JSONPointer, _ test: Test) {
        self.pointer = pointer
        self.test = test
    }
}
