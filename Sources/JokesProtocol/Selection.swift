package import JokesCore

extension Wire {
    /// The cursor and the limit of a page.
    package struct PageParameters: Codable, Hashable, Sendable {
        /// The maximum number of rows of a page, in lists and searches.
        package static let maxLimit = 100

        package var cursor: String?
        package var limit: Int?

        package init(cursor: String? = nil, limit: Int? = nil) { (self.cursor, self.limit) = (cursor, limit) }
    }
}

/// Parameters together with a selection of jokes: one JSON object.
package struct Selecting<Parameters: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    package var parameters: Parameters
    package var selection: JokeSelection

    package init(_ parameters: Parameters, _ selection: JokeSelection = JokeSelection()) {
        (self.parameters, self.selection) = (parameters, selection)
    }

    package init(from decoder: any Decoder) throws {
        (parameters, selection) = (try Parameters(from: decoder), try JokeSelection(from: decoder))
    }

    package func encode(to encoder: any Encoder) throws {
        try parameters.encode(to: encoder)
        try selection.encode(to: encoder)
    }
}

extension Selecting<Wire.PageParameters> {
    package init(_ selection: JokeSelection = JokeSelection(), cursor: String? = nil, limit: Int? = nil) {
        self.init(Wire.PageParameters(cursor: cursor, limit: limit), selection)
    }
}
