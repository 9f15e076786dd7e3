/// The types, methods and errors of a Varlink interface, parsed from its text.
public struct InterfaceDescription: Sendable {
    /// A type, method or error with its comment.
    public struct Member: Sendable {
        /// The kind of a member.
        public enum Kind: Sendable {
            /// A type with a name.
            case type(TypeDescription)
            /// A method with its parameters and results.
            case method(input: [FieldDescription], output: [FieldDescription])
            /// An error and its fields.
            case error([FieldDescription])
        }

        /// The name without the interface.
        public let name: String
        /// The comment lines directly above it, without `#` and the space after it.
        public let documentation: String
        /// The kind and its fields.
        public let kind: Kind
        /// The line number in the text, from 1.
        public let line: Int
    }

    /// The qualified name: `org.varlink.service`.
    public let name: String
    /// The comment lines at the beginning of the text.
    public let documentation: String
    /// The members, in the order of the text.
    public let members: [Member]
    /// The text of the interface.
    public let text: String

    private let types: [String: TypeDescription]

    /// Reads an interface text.
    ///
    /// - Throws: `VarlinkError.invalidInterface` with the line, if the grammar of varlink.org does not allow the text,
    ///   or if a name is not defined, or defined twice.
    public init(_ text: String) throws(VarlinkError) {
        var parser = try InterfaceParser(text)
        let parsed = try parser.parse()
        name = parsed.name
        documentation = parsed.documentation
        members = parsed.members
        self.text = text
        var types: [String: TypeDescription] = [:]
        for member in members {
            if case .type(let type) = member.kind { types[member.name] = type }
        }
        self.types = types
        try checkNames()
    }

    /// Returns the definition of a type; nil if there is none.
    public func type(named name: String) -> TypeDescription? { types[name] }

    /// Returns the definition of a method; nil if there is none.
    public func method(named name: String) -> Member? {
        members.first { if case .method = $0.kind { $0.name == name } else { false } }
    }

    /// The names of the methods, in the order of the text.
    public var methodNames: [String] { members.compactMap { if case .method = $0.kind { $0.name } else { nil } } }

    /// The names of the errors, in the order of the text.
    public var errorNames: [String] { members.compactMap { if case .error = $0.kind { $0.name } else { nil } } }

    /// Returns the type of a name. It is never `.named`, because only structures and enumerations have names.
    func resolve(_ type: TypeDescription) -> TypeDescription {
        guard case .named(let name) = type, let definition = types[name] else { return type }
        return definition
    }

    private func checkNames() throws(VarlinkError) {
        var seen: Set<String> = []
        for member in members {
            guard seen.insert(member.name).inserted else {
                throw .invalidInterface(line: member.line, reason: "duplicate definition of \(member.name)")
            }
            for type in member.types {
                for name in type.names where types[name] == nil {
                    throw .invalidInterface(line: member.line, reason: "\(member.name) uses unknown type \(name)")
                }
            }
        }
    }
}

extension InterfaceDescription.Member {
    /// The types that the member refers to.
    var types: [TypeDescription] {
        switch kind {
        case .type(let type): [type]
        case .method(let input, let output): (input + output).map(\.type)
        case .error(let fields): fields.map(\.type)
        }
    }
}

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
    /// Any JSON value.
    case any
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
        case .bool, .int, .float, .string, .object, .any, .enumeration: []
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
    /// The comment lines directly above it, without `#` and the space after it.
    public let documentation: String
    /// The line number in the text, from 1.
    public let line: Int

    /// True if it may be missing in a message.
    public var isOptional: Bool { if case .optional = type { true } else { false } }
}
