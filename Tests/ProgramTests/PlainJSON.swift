import FoundationEssentials

/// JSON without a schema, for tests that do not rely on the types of the project.
///
/// The protocol has no fractions.
enum PlainJSON: Codable, Equatable {
    case null
    case flag(Bool)
    case number(Int64)
    case text(String)
    case list([PlainJSON])
    case members([String: PlainJSON])

    init(_ json: String) throws {
        self = try JSONDecoder().decode(PlainJSON.self, from: Data(json.utf8))
    }

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        // The most frequent types first, since each failed attempt throws an error.
        if value.decodeNil() {
            self = .null
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let members = try? value.decode([String: PlainJSON].self) {
            self = .members(members)
        } else if let number = try? value.decode(Int64.self) {
            self = .number(number)
        } else if let flag = try? value.decode(Bool.self) {
            self = .flag(flag)
        } else {
            self = .list(try value.decode([PlainJSON].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .flag(let flag): try container.encode(flag)
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .list(let elements): try container.encode(elements)
        case .members(let members): try container.encode(members)
        }
    }

    /// The member of an object; `nil` if there is none.
    subscript(_ member: String) -> PlainJSON? {
        get {
            if case .members(let members) = self { members[member] } else { nil }
        }
        set {
            guard case .members(var members) = self else { return }
            members[member] = newValue
            self = .members(members)
        }
    }

    /// The elements of an array; empty for other values.
    var elements: [PlainJSON] {
        if case .list(let elements) = self { elements } else { [] }
    }

    var number: Int64? {
        if case .number(let number) = self { number } else { nil }
    }

    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }
}
