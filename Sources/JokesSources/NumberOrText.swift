import JokesCore

/// A number or a text where an upstream is not sure which: `106` and `"106"` are the same.
struct NumberOrText: Decodable, Hashable, Sendable {
    let text: String

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self.text = text
        } else {
            text = String(try container.decode(Int.self))
        }
    }

    /// The number, where it is a whole one without sign or blanks before it.
    var number: Int? {
        text.utf8.allSatisfy(\.isASCIIDigit) ? Int(text) : nil
    }
}
