/// A type of an interface.
public indirect enum TypeDescription: Sendable, Equatable {
    /// True or false.
    case bool
    /// A whole number of 64 bits.
    case int
    /// A floating-point number.
    case float
    /// Text.
    case string
    /// Any JSON object.
    case object
    /// One of the names.
    case enumeration([String])
    /// An object with these fields.
    case structure([FieldDescription])
    /// A list.
    case array(TypeDescription)
    /// An object with any keys, all of whose values have the type.
    case map(TypeDescription)
    /// The type, or absent.
    case optional(TypeDescription)
    /// A type defined elsewhere in the interface.
    case named(String)

    /// The names it mentions, at any depth.
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
    /// The key it has in JSON.
    public let name: String
    /// What it holds.
    public let type: TypeDescription
    /// The comment lines right above it, without `#`.
    public let documentation: String
    /// Its line in the text, from 1.
    public let line: Int

    /// Whether a message may leave it out.
    public var isOptional: Bool {
        if case .optional = type { true } else { false }
    }
}
