import JSON
import TestSupport

/// A JSON value as a tree, which is written in any style.
indirect enum JSONTree: Equatable {
    case null
    case bool(Bool)
    /// The number as it is written.
    case number(String)
    case string(String)
    case array([JSONTree])
    /// Names are unique.
    case object([Member])

    struct Member: Equatable {
        let name: String
        let value: JSONTree
    }
}

extension JSONTree {
    static let names = ["a", "b", "", "*", "0", "1", "~", "/", "a/b", "~1", "é", "e\u{301}", "\"", "😀", "setup"]

    static func random(_ random: inout SplitMix64, depth: Int) -> JSONTree {
        switch random.int(in: 0..<(depth > 0 ? 8 : 4)) {
        case 0: return .null
        case 1: return .bool(random.chance(1, in: 2))
        case 2: return .number(["0", "-0", "17", "-1.5", "1e999", "1E-3", "1000000000000000000000"].pick(&random))
        case 3: return .string(names.pick(&random) + ["", "\u{0}", "\n", "\\u0041", "ÿ\u{10FFFF}"].pick(&random))
        case 4, 5:
            return .array((0..<random.int(in: 0..<5)).map { _ in .random(&random, depth: depth - 1) })
        default:
            let names = Set((0..<random.int(in: 0..<5)).map { _ in Self.names.pick(&random).asBytes })
            return .object(
                names.map {
                    Member(name: String(decoding: $0, as: UTF8.self), value: .random(&random, depth: depth - 1))
                })
        }
    }

    /// Returns a random text of the value.
    func text(_ random: inout SplitMix64) -> String {
        let blank = ["", "", "", " ", "\n\t\r "].pick(&random)
        let text: String
        switch self {
        case .null: text = "null"
        case .bool(let value): text = value ? "true" : "false"
        case .number(let number): text = number
        case .string(let string): text = Self.quoted(string, &random)
        case .array(let elements):
            text = "[\(blank)" + elements.map { $0.text(&random) }.joined(separator: ",") + "]"
        case .object(let members):
            let texts = members.map { member in
                blank + Self.quoted(member.name, &random) + blank + ":" + member.value.text(&random)
            }
            text = "{" + texts.joined(separator: ",") + "\(blank)}"
        }
        return blank + text + blank
    }

    private static func quoted(_ string: String, _ random: inout SplitMix64) -> String {
        var text = "\""
        for scalar in string.unicodeScalars {
            if scalar == "\"" || scalar == "\\" {
                text += "\\" + String(scalar)
            } else if scalar.value < 0x20 || random.chance(1, in: 3) {
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16, uppercase: random.chance(1, in: 2))
                    text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }

    /// Reads a value; nil if a part of it is not JSON.
    init?(_ value: JSONValue) {
        switch value.kind {
        case .null: self = .null
        case .bool: self = .bool(value.bool == true)
        case .number: self = .number(value.number ?? "")
        case .string:
            guard let string = value.string else { return nil }
            self = .string(string)
        case .array:
            let elements = value.elements.map { JSONTree($0) }
            guard elements.allSatisfy({ $0 != nil }) else { return nil }
            self = .array(elements.compactMap(\.self))
        case .object:
            let members = value.members.map { name, value in
                name.string.flatMap { name in JSONTree(value).map { Member(name: name, value: $0) } }
            }
            guard members.allSatisfy({ $0 != nil }) else { return nil }
            self = .object(members.compactMap(\.self))
        case .invalid: return nil
        }
    }

    /// Returns the values at the steps.
    func values(along steps: ArraySlice<String>) -> [JSONTree] {
        guard let step = steps.first else { return [self] }
        let rest = steps.dropFirst()
        switch self {
        case .object(let members):
            let named = members.filter { $0.name.asBytes == step.asBytes }
            return (named.isEmpty && step == "*" ? members : named).flatMap { $0.value.values(along: rest) }
        case .array(let elements):
            if step == "*" { return elements.flatMap { $0.values(along: rest) } }
            return elements.enumerated().filter { String($0.offset) == step }.flatMap { $0.element.values(along: rest) }
        default: return []
        }
    }

    /// Returns a random path into the tree, which mostly has a value.
    func randomSteps(_ random: inout SplitMix64) -> [String] {
        if random.chance(1, in: 6) { return [] }
        if random.chance(1, in: 8) { return [Self.names.pick(&random)] }
        switch self {
        case .object(let members) where !members.isEmpty:
            let member = members[random.int(in: 0..<members.count)]
            return [random.chance(1, in: 6) ? "*" : member.name] + member.value.randomSteps(&random)
        case .array(let elements) where !elements.isEmpty:
            let index = random.int(in: 0..<elements.count)
            return [random.chance(1, in: 3) ? "*" : String(index)] + elements[index].randomSteps(&random)
        default: return []
        }
    }
}

extension [String] {
    fileprivate func pick(_ random: inout SplitMix64) -> String {
        self[random.int(in: 0..<count)]
    }
}

extension String {
    fileprivate var asBytes: [UInt8] { Array(utf8) }
}
