import JokesCore

enum DateToken: Equatable {
    case number(Int, digits: Int)
    /// In lowercase, without the period of an abbreviation.
    case word(String)
    case sign(Character)

    var isMonth: Bool {
        if case .word(let word) = self { monthNumber(word) != nil } else { false }
    }
}

/// Returns the words, numbers and signs of a text, without spaces, commas and comments in parentheses; nil if a comment does
/// not end.
func dateTokens(in text: String) -> [DateToken]? {
    var tokens: [DateToken] = []
    var rest = text[...]
    while let first = rest.first {
        if first.isLetter {
            tokens.append(.word(rest.take(while: \.isLetter).lowercased()))
            if rest.first == "." { rest.removeFirst() }
        } else if first.isASCIIDigit {
            let digits = rest.take(while: \.isASCIIDigit)
            // Only a fraction of a second is longer, and its value does not count.
            tokens.append(.number(Int(digits.prefix(9)) ?? 0, digits: digits.count))
        } else if first == "(" {
            guard let end = rest.firstIndex(of: ")") else { return nil }
            rest = rest[end...].dropFirst()
        } else {
            rest.removeFirst()
            if !first.isWhitespace && first != "," { tokens.append(.sign(first)) }
        }
    }
    return tokens
}

extension Substring {
    fileprivate mutating func take(while isPart: (Character) -> Bool) -> Substring {
        let part = prefix(while: isPart)
        self = self[part.endIndex...]
        return part
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}

extension ArraySlice<DateToken> {
    mutating func take(_ token: DateToken) -> Bool {
        guard first == token else { return false }
        removeFirst()
        return true
    }

    /// Removes a number with a number of digits in the range, if it is next.
    mutating func takeNumber(digits range: ClosedRange<Int> = 1...2) -> Int? {
        guard case .number(let number, let digits)? = first, range.contains(digits) else { return nil }
        removeFirst()
        return number
    }
}
