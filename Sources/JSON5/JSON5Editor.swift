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
    package private(set) var value: JSON5Value

    /// - Throws: `JSON5Reader.SyntaxError` for an invalid text.
    package init(_ text: String) throws(JSON5Reader.SyntaxError) {
        (self.text, value) = (text, try JSON5Value(reading: text))
    }

    // MARK: Edits

    /// Adds a value at the end of a list. The value is JSON5; if it has several lines, two spaces are one level.
    package mutating func append(_ new: String, to path: Path) throws(Failure) {
        let read = try Self.read(new)
        try edit { draft throws(Failure) in
            guard let list = draft.root.value(at: path), !list.isObject, list.children != nil else {
                throw .noSuchValue
            }
            draft.insert(new, in: list)
        } value: { value in
            value.change(at: path) { if case .array(let elements) = $0 { .array(elements + [read]) } else { nil } }
        }
    }

    /// Sets a member of an object: replaces its value, or adds it at the end. The value is JSON5.
    package mutating func set(_ key: String, to new: String, at path: Path) throws(Failure) {
        let read = try Self.read(new)
        try edit { draft throws(Failure) in
            guard let object = draft.root.value(at: path), object.isObject, let children = object.children else {
                throw .noSuchValue
            }
            if let member = children.first(where: { $0.key == key }) {
                draft.replace(member.value.range, with: new)
            } else {
                draft.insert("\(draft.written(key)): \(new)", in: object)
            }
        } value: { value in
            value.change(at: path) { object in
                guard case .object(var members) = object else { return nil }
                if let index = members.firstIndex(where: { $0.key == key }) {
                    members[index].value = read
                } else {
                    members.append(JSON5Value.Member(key: key, value: read))
                }
                return .object(members)
            }
        }
    }

    /// Removes a member or an element, with the comments in it. Comments around it stay.
    package mutating func remove(at path: Path) throws(Failure) {
        guard let last = path.last else { throw .noSuchValue }
        let parent = Array(path.dropLast())
        try edit { draft throws(Failure) in
            guard let container = draft.root.value(at: parent), let index = container.index(of: last) else {
                throw .noSuchValue
            }
            draft.remove(index, of: container)
        } value: { value in
            value.change(at: parent) { container in
                switch (container, last) {
                case (.array(var elements), .index(let index)) where elements.indices.contains(index):
                    elements.remove(at: index)
                    return .array(elements)
                case (.object(var members), .key(let key)):
                    guard let index = members.firstIndex(where: { $0.key == key }) else { return nil }
                    members.remove(at: index)
                    return .object(members)
                default: return nil
                }
            }
        }
    }

    /// Returns the text of a value, with the comments in it; nil if there is none.
    package func source(at path: Path) -> String? {
        let draft = JSON5Draft(text)
        return draft?.root.value(at: path).map { draft?.text(in: $0.range) ?? "" }
    }

    // MARK: Checks

    private static func read(_ new: String) throws(Failure) -> JSON5Value {
        do throws(JSON5Reader.SyntaxError) { return try JSON5Value(reading: new) } catch { throw .unexpectedResult }
    }

    private mutating func edit(
        _ change: (inout JSON5Draft) throws(Failure) -> Void, value expected: (JSON5Value) -> JSON5Value?
    ) throws(Failure) {
        guard var draft = JSON5Draft(text), let expected = expected(value) else { throw .noSuchValue }
        try change(&draft)
        let changed = draft.text
        guard let found = try? JSON5Value(reading: changed), found == expected else { throw .unexpectedResult }
        (text, value) = (changed, found)
    }
}

extension JSON5Value {
    /// Returns the value with a change of the one at a path; nil if there is none, or `change` returns nil.
    fileprivate func change(at path: [JSON5Editor.Step], _ change: (JSON5Value) -> JSON5Value?) -> JSON5Value? {
        guard let step = path.first else { return change(self) }
        let rest = Array(path.dropFirst())
        switch (self, step) {
        case (.array(var elements), .index(let index)) where elements.indices.contains(index):
            guard let changed = elements[index].change(at: rest, change) else { return nil }
            elements[index] = changed
            return .array(elements)
        case (.object(var members), .key(let key)):
            guard let index = members.firstIndex(where: { $0.key == key }),
                let changed = members[index].value.change(at: rest, change)
            else { return nil }
            members[index].value = changed
            return .object(members)
        default: return nil
        }
    }
}

extension LocatedJSON {
    /// Returns the index of a child; nil if there is none.
    fileprivate func index(of step: JSON5Editor.Step) -> Int? {
        switch step {
        case .key(let key): isObject ? children?.firstIndex { $0.key == key } : nil
        case .index(let index): !isObject && children?.indices.contains(index) == true ? index : nil
        }
    }

    fileprivate func value(at path: [JSON5Editor.Step]) -> LocatedJSON? {
        var found = self
        for step in path {
            guard let index = found.index(of: step), let child = found.children?[index] else { return nil }
            found = child.value
        }
        return found
    }
}
