/// A Varlink interface: its types, methods and errors, as the interface text says.
public struct InterfaceDescription: Sendable {
    /// A named type, method or error with the comment above it.
    public struct Member: Sendable {
        /// What a member is.
        public enum Kind: Sendable {
            /// A type with a name.
            case type(TypeDescription)
            /// A method: the fields that go in and those that come out.
            case method(input: [FieldDescription], output: [FieldDescription])
            /// An error and its fields.
            case error([FieldDescription])
        }

        /// The name without the interface.
        public let name: String
        /// The comment lines right above it, without `#`.
        public let documentation: String
        /// What it is.
        public let kind: Kind
        /// Its line in the text, from 1.
        public let line: Int
    }

    /// The qualified name: `org.varlink.service`.
    public let name: String
    /// The comment lines above the first word.
    public let documentation: String
    /// All members, in the order of the text.
    public let members: [Member]
    /// The text itself, as it was given.
    public let text: String

    private let types: [String: TypeDescription]
    private let methods: [String: Member]

    /// Reads an interface text.
    ///
    /// - Throws: `VarlinkError.invalidInterface` with the line: for what the grammar of varlink.org does not allow, for
    ///   a name that is used but not defined, and for one defined twice.
    public init(_ text: String) throws(VarlinkError) {
        var parser = try InterfaceParser(text)
        let parsed = try parser.parse()
        name = parsed.name
        documentation = parsed.documentation
        members = parsed.members
        self.text = text
        var types: [String: TypeDescription] = [:]
        var methods: [String: Member] = [:]
        for member in members {
            switch member.kind {
            case .type(let type): types[member.name] = type
            case .method: methods[member.name] = member
            case .error: break
            }
        }
        self.types = types
        self.methods = methods
        try checkNames()
    }

    /// A type's definition.
    public func type(named name: String) -> TypeDescription? { types[name] }

    /// A method's definition.
    public func method(named name: String) -> Member? { methods[name] }

    /// The names of all methods, in the order of the text.
    public var methodNames: [String] {
        members.compactMap { if case .method = $0.kind { $0.name } else { nil } }
    }

    /// The names of all errors, in the order of the text.
    public var errorNames: [String] {
        members.compactMap { if case .error = $0.kind { $0.name } else { nil } }
    }

    /// The type behind a name: never `.named`, since only structures and enumerations can be given names.
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
    /// All types that the member mentions.
    var types: [TypeDescription] {
        switch kind {
        case .type(let type): [type]
        case .method(let input, let output): (input + output).map(\.type)
        case .error(let fields): fields.map(\.type)
        }
    }
}
