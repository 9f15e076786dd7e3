import FoundationEssentials
import Varlink

extension AnyJSON {
    init(_ json: String) throws {
        self = try JSONDecoder().decode(AnyJSON.self, from: Data(json.utf8))
    }

    /// The member of an object; `nil` if there is none.
    subscript(_ member: String) -> AnyJSON? {
        get {
            if case .object(let members) = self { members[member] } else { nil }
        }
        set {
            guard case .object(var members) = self else { return }
            members[member] = newValue
            self = .object(members)
        }
    }

    /// The elements of an array; empty for other values.
    var elements: [AnyJSON] {
        if case .array(let elements) = self { elements } else { [] }
    }

    var number: Int64? {
        if case .int(let number) = self { number } else { nil }
    }

    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }
}
