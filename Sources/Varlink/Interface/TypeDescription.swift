/// A type of an interface.
public indirect enum TypeDescription: Sendable, Equatable {
    /// True or false.
    case bool
    /// An integer of 64 bits.
    case int
    /// A floating-point number.
    case float
    /// A string.
    case string
    /// Any JSON object.
    case object
    /// One of the names.
    case enumeration([String])
    /// An object with these fields.
    case structure([FieldDescription])
    /// A list.
    case array(TypeDescription)
    /// An object with any keys and values of one type.
    case map(TypeDescription)
    /// An optional value of the type.
    case optional(TypeDescription)
    /// A type that is defined in the interface.
    case named(String)

    /// The names in the type, at any depth.
    var names: [String] {
        switch self {
        case .bool, .int, .float, .string, .object, .enumeration: []
        case .structure(let fields): fields.flatMap { $0.type.names }
        case .array(let element), .map(let element), .optional(let element): element.names
        case .named(let name): [name]
        }
    }
}

/// A field of a structure, a method or an error.
public struct FieldDescription: Sendable, Equatable {
    /// The key in JSON.
    public let name: String
    /// The type of the value.
    public let type: TypeDescription
    /// The comment lines directly above it, without `#`.
    public let documentation: String
    /// The line number in the text, from 1.
    public let line: Int

    /// Whether it may be missing in a message.
    public var isOptional: Bool {
        if case .optional = type { true } else { false }
    }
}
