package import JokesCore

extension Wire {
    /// `type FoundJoke`.
    package struct FoundJoke: Codable, Hashable, Sendable {
        package let found: JokesCore.FoundJoke

        package init(_ found: JokesCore.FoundJoke) {
            self.found = found
        }

        private enum CodingKeys: String, CodingKey {
            case joke, marks, snippet
        }

        package init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            let joke = try members.decode(Wire.Joke.self, forKey: .joke).joke
            let marks = try members.decode([Stretch].self, forKey: .marks)
            let snippet = try members.decode(Stretch.self, forKey: .snippet)
            found = JokesCore.FoundJoke(joke: joke, marks: marks.compactMap(\.stretch), snippet: snippet.stretch)
        }

        package func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(Wire.Joke(found.joke), forKey: .joke)
            try members.encode(found.marks.map(Stretch.init), forKey: .marks)
            try members.encode(Stretch(found.snippet), forKey: .snippet)
        }
    }

    /// `type Stretch`.
    struct Stretch: Codable {
        var part: String
        var start: Int
        var end: Int

        init(_ stretch: TextStretch) {
            part = stretch.part.rawValue
            start = stretch.bytes.lowerBound
            end = stretch.bytes.upperBound
        }

        /// Nil if it is invalid.
        var stretch: TextStretch? {
            guard let part = TextStretch.Part(rawValue: part), 0 <= start, start <= end else { return nil }
            return TextStretch(part, start..<end)
        }
    }
}
