import JokesCore

/// A number that may be written as a text: `106` and `"106"` are equal.
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

    /// The number, if it is an integer without a sign or spaces.
    var number: Int? {
        text.utf8.allSatisfy(\.isASCIIDigit) ? Int(text) : nil
    }
}
