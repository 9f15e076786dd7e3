import SQLite

/// The words of a text as the index knows them, with their places in it. One list is used for text after text: it keeps
/// its memory.
struct WordList {
    struct Word {
        /// Where in `bytes` it is, without case and accents.
        let bytes: Range<Int>
        /// Where in the text, in bytes of UTF-8.
        let place: Range<Int>
    }

    private(set) var bytes: [UInt8] = []
    private(set) var words: [Word] = []

    /// Reads another text, in UTF-8.
    mutating func read(_ text: UnsafeBufferPointer<UInt8>, _ splitter: WordSplitter) throws {
        bytes.removeAll(keepingCapacity: true)
        words.removeAll(keepingCapacity: true)
        // All bits of all bytes: a loop without a way out is done sixteen bytes at a time.
        if text.reduce(0, { $0 | $1 }) < 0x80 {
            readASCII(text)
        } else {
            try splitter.split(text) { word, place in
                words.append(Word(bytes: bytes.count..<bytes.count + word.count, place: place))
                bytes.append(contentsOf: word)
            }
        }
    }

    mutating func read(_ text: String, _ splitter: WordSplitter) throws {
        var text = text
        try text.withUTF8 { try read($0, splitter) }
    }

    /// What the splitter makes of text in ASCII, in an eighth of its time: letters and digits are words, all else is
    /// between them.
    private mutating func readASCII(_ text: UnsafeBufferPointer<UInt8>) {
        bytes.append(contentsOf: text)
        bytes.withUnsafeMutableBufferPointer { bytes in
            for offset in bytes.indices { bytes[offset] |= bytes[offset] &- 0x41 < 26 ? 0x20 : 0 }
            var start = -1
            for offset in bytes.indices {
                let isInWord = bytes[offset] &- 0x61 < 26 || bytes[offset] &- 0x30 < 10
                if isInWord == (start >= 0) { continue }
                if isInWord {
                    start = offset
                } else {
                    words.append(Word(bytes: start..<offset, place: start..<offset))
                    start = -1
                }
            }
            if start >= 0 { words.append(Word(bytes: start..<bytes.count, place: start..<bytes.count)) }
        }
    }
}

/// Words that stand one behind the other in one part of a joke; the last may be the beginning of one.
struct Phrase: Hashable {
    /// As they were written, for the index to split.
    let text: String
    let isPrefix: Bool
    /// The words as the index knows them, without anything between them, and where they end.
    private let letters: [UInt8]
    private let ends: [Int]

    /// Nil where there is no word in the text.
    init?(_ text: String, isPrefix: Bool, _ splitter: WordSplitter) throws {
        var list = WordList()
        try list.read(text, splitter)
        if list.words.isEmpty { return nil }
        self.text = text
        self.isPrefix = isPrefix
        var letters: [UInt8] = []
        ends = list.words.map { word in
            letters += list.bytes[word.bytes]
            return letters.count
        }
        self.letters = letters
    }

    var wordCount: Int {
        ends.count
    }

    /// As a string of FTS5, in which nothing is an operator.
    var expression: String {
        "\"\(text)\"" + (isPrefix ? "*" : "")
    }

    /// How often the text says it.
    func count(in list: borrowing WordList) -> Int {
        var count = 0
        forEachPlace(in: list) { _ in count += 1 }
        return count
    }

    /// Where the text says it, in bytes of UTF-8.
    func places(in list: borrowing WordList) -> [Range<Int>] {
        var places: [Range<Int>] = []
        forEachPlace(in: list) { words in
            places.append(list.words[words.lowerBound].place.lowerBound..<list.words[words.upperBound].place.upperBound)
        }
        return places
    }

    /// Calls the body with the first and the last word of each place. For each word of a thousand texts: on pointers,
    /// since an array that is held costs more than the comparison.
    private func forEachPlace(in list: borrowing WordList, _ body: (ClosedRange<Int>) -> Void) {
        let last = ends.count - 1
        guard list.words.count > last else { return }
        letters.withUnsafeBufferPointer { letters in
            ends.withUnsafeBufferPointer { ends in
                list.words.withUnsafeBufferPointer { words in
                    list.bytes.withUnsafeBufferPointer { bytes in
                        for first in 0..<words.count - last
                        where bytes[words[first].bytes.lowerBound] == letters[0] {
                            var start = 0
                            var number = 0
                            while number <= last {
                                let isEqual = Self.isEqual(
                                    letters[start..<ends[number]], bytes[words[first + number].bytes],
                                    orLonger: isPrefix && number == last)
                                if !isEqual { break }
                                start = ends[number]
                                number += 1
                            }
                            if number > last { body(first...first + last) }
                        }
                    }
                }
            }
        }
    }

    private static func isEqual(
        _ wanted: Slice<UnsafeBufferPointer<UInt8>>, _ word: Slice<UnsafeBufferPointer<UInt8>>, orLonger: Bool
    ) -> Bool {
        guard orLonger ? word.count >= wanted.count : word.count == wanted.count else { return false }
        var place = word.startIndex
        for letter in wanted {
            if word[place] != letter { return false }
            place += 1
        }
        return true
    }
}
