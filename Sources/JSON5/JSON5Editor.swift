/// Edits a JSON5 text in place: everything else keeps its bytes, such as comments and white space.
///
/// New text follows the style of the text around it: its indentation, line ends and trailing commas. Each edit is checked:
/// the changed text is read, and must have exactly the expected value.
package struct JSON5Editor {
    package typealias Path = [Step]

    /// A step from a value to one in it. For a duplicate key, the first member counts.
    package enum Step: Hashable, Sendable {
        case key(String)
        case index(Int)
    }

    /// The reason that a text cannot be edited.
    package enum Failure: Error, Hashable {
        /// There is no value at the path, or it is not of the required type.
        case noSuchValue
        /// The text would have another value than expected.
        case unexpectedResult
    }

    /// The current text.
    package private(set) var text: String
    /// The value of the text.
    package private(set) var value: LocatedJSON

    /// - Throws: `JSON5Reader.SyntaxError` for an invalid text.
    package init(_ text: String) throws(JSON5Reader.SyntaxError) {
        (self.text, value) = (text, try JSON5Reader.read(text))
    }

    // MARK: Edits

    /// Adds a value at the end of a list. The value is JSON5; if it has several lines, two spaces are one level.
    package mutating func append(_ new: String, to path: Path) throws(Failure) {
        guard let list = value.value(at: path), let elements = list.elements else { throw .noSuchValue }
        let expected = value.changed(at: path + [.index(elements.count)], to: try Self.read(new))
        try edit(expecting: expected) { $0.insert(new, in: list) }
    }

    /// Sets a member of an object: replaces its value, or adds it at the end. The value is JSON5.
    package mutating func set(_ key: String, to new: String, at path: Path) throws(Failure) {
        guard let object = value.value(at: path), object.isObject else { throw .noSuchValue }
        let expected = value.changed(at: path + [.key(key)], to: try Self.read(new))
        try edit(expecting: expected) { draft in
            if let old = object[key] {
                draft.replace(old.range, with: new)
            } else {
                draft.insert("\(draft.written(key)): \(new)", in: object)
            }
        }
    }

    /// Removes a member or an element, with the comments in it. Comments around it stay.
    package mutating func remove(at path: Path) throws(Failure) {
        guard let last = path.last, let container = value.value(at: path.dropLast()),
            let index = container.index(of: last)
        else { throw .noSuchValue }
        try edit(expecting: value.changed(at: path, to: nil)) { $0.remove(index, of: container) }
    }

    /// Returns the text of a value, with the comments in it; nil if there is none.
    package func source(at path: Path) -> String? {
        value.value(at: path).map { JSON5Draft(text, value).text(in: $0.range) }
    }

    // MARK: Checks

    private static func read(_ new: String) throws(Failure) -> LocatedJSON {
        do throws(JSON5Reader.SyntaxError) { return try JSON5Reader.read(new) } catch { throw .unexpectedResult }
    }

    private mutating func edit(expecting expected: LocatedJSON?, _ change: (inout JSON5Draft) -> Void) throws(Failure) {
        var draft = JSON5Draft(text, value)
        change(&draft)
        let found = try Self.read(draft.text)
        guard found == expected else { throw .unexpectedResult }
        (text, value) = (draft.text, found)
    }
}

extension LocatedJSON {
    /// Returns the index of a child; nil if there is none.
    fileprivate func index(of step: JSON5Editor.Step) -> Int? {
        switch step {
        case .key(let key): members?.firstIndex { $0.key == key }
        case .index(let index): elements?.indices.contains(index) == true ? index : nil
        }
    }

    fileprivate func value(at path: some Sequence<JSON5Editor.Step>) -> LocatedJSON? {
        var found = self
        for step in path {
            guard let index = found.index(of: step), let child = found.children?[index] else { return nil }
            found = child.value
        }
        return found
    }

    /// Returns a value that differs at a path: nil removes the value there. If there is none, the new one is the last
    /// of its list or object, which must exist. The places of the result have no meaning.
    fileprivate func changed(at path: some Collection<JSON5Editor.Step>, to new: LocatedJSON?) -> LocatedJSON? {
        guard let step = path.first else { return new }
        let index = index(of: step)
        let child = index.flatMap { children?[$0].value }
        let new = child.map { $0.changed(at: path.dropFirst(), to: new) } ?? new
        var changed = self
        switch (value, step) {
        case (.array(var elements), _):
            let end = elements.count
            elements.replaceSubrange((index ?? end)..<(index.map { $0 + 1 } ?? end), with: new.map { [$0] } ?? [])
            changed.value = .array(elements)
        case (.object(var members), .key(let key)):
            let member = new.map { Member(key: key, line: line, start: 0, value: $0) }
            let end = members.count
            members.replaceSubrange((index ?? end)..<(index.map { $0 + 1 } ?? end), with: member.map { [$0] } ?? [])
            changed.value = .object(members)
        default: break
        }
        return changed
    }
}
