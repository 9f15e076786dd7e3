import JokesProtocol
import TestSupport
import Varlink

/// A part of the interface text that describes a message.
enum Part: Hashable { case parameters(String), reply(String), error(String) }

func allMethods() -> [any JokesMethod.Type] {
    [
        AbbreviateMethod.self, AcknowledgeRecoveriesMethod.self, ConfigurationMethod.self, DiagnoseMethod.self,
        ExportMethod.self, FavoriteMethod.self, FavoritesMethod.self, ForgetMethod.self, GetMethod.self,
        HiddenMethod.self, HideMethod.self, ImportMethod.self, ListMethod.self, MarkAllSeenMethod.self,
        MarkSeenMethod.self, MarkUnseenMethod.self, ProbeMethod.self, RandomMethod.self, RefreshMethod.self,
        ReloadMethod.self, SearchMethod.self, SourcesMethod.self, StatisticsMethod.self, StatusMethod.self,
        SuggestMethod.self, TestSourceMethod.self, TodayMethod.self, UndoMethod.self, UnfavoriteMethod.self,
        UnhideMethod.self, WatchMethod.self,
    ]
}

/// A message that was decoded into its type and encoded again.
struct Message {
    let json: String
    /// True if the same happens to it when it is decoded.
    let readsBack: Bool

    init(_ sent: AnyJSON, as part: Part) throws {
        switch part {
        case .parameters(let name): self = try parameters(sent, of: method(name))
        case .reply(let name): self = try reply(sent, of: method(name))
        case .error(let name):
            try self.init(ErrorReply("\(JokesInterface.name).\(name)", sent)) { reply in
                guard let error = reply.error(as: JokesError.self, of: JokesInterface.name) else {
                    throw BrokenProperty("\(reply) is not decoded")
                }
                return ErrorReply(error, of: JokesInterface.name)
            }
        }
    }

    fileprivate init<Value: Codable>(_ sent: AnyJSON, as type: Value.Type) throws {
        // An error reply carries any value as JSON.
        try self.init(ErrorReply("", sent)) { ErrorReply("", try $0.parameters(as: type)) }
    }

    private init(_ sent: ErrorReply, _ recoded: (ErrorReply) throws -> ErrorReply) throws {
        let reply = try recoded(sent)
        readsBack = try recoded(reply) == reply
        let parameters = reply.description.dropFirst(reply.name.count).drop { $0 == " " }
        json = parameters.isEmpty ? "{}" : String(parameters)
    }
}

private func method(_ name: String) throws -> any JokesMethod.Type {
    guard let method = allMethods().first(where: { $0.name == name }) else {
        throw BrokenProperty("no type is the method \(name)")
    }
    return method
}

private func parameters<Method: JokesMethod>(_ sent: AnyJSON, of method: Method.Type) throws -> Message {
    try Message(sent, as: Method.Parameters.self)
}

private func reply<Method: JokesMethod>(_ sent: AnyJSON, of method: Method.Type) throws -> Message {
    try Message(sent, as: Method.Reply.self)
}

/// Makes random JSON of the types of an interface.
struct RandomJSON {
    let interface: InterfaceDescription
    var random: SplitMix64

    mutating func object(_ fields: [FieldDescription]) -> AnyJSON {
        var members: [String: AnyJSON] = [:]
        var others: Set<String> = []
        // Of the members that the kinds name, an object has only that of its kind.
        if case .enumeration(let kinds)? = fields.first(where: { $0.name == "kind" })?.type {
            let kind = kinds[random.int(in: 0..<kinds.count)]
            others = Set(kinds).subtracting([kind])
            members = ["kind": .string(kind), "id": .string("\(kind)/1")]
            if case .optional(let type)? = fields.first(where: { $0.name == kind })?.type {
                members[kind] = value(of: type)
            }
        }
        for field in fields where members[field.name] == nil && !others.contains(field.name) {
            members[field.name] = value(of: field)
        }
        return .object(members)
    }

    private mutating func value(of field: FieldDescription) -> AnyJSON? {
        switch field.name {
        case "fingerprint": .string(String(repeating: "0a", count: 32))
        case "perMs", "elapsedMs": .int(Int64(random.int(in: 1..<1 << 40)))
        default: value(of: field.type)
        }
    }

    /// Returns nil for an optional value that is left out.
    private mutating func value(of type: TypeDescription) -> AnyJSON? {
        switch type {
        case .bool: .bool(random.chance(1, in: 2))
        case .int: .int(number())
        case .float: .double(0.5)
        case .string: .string(text())
        case .object, .any: .object([:])
        case .enumeration(let names): .string(names[random.int(in: 0..<names.count)])
        case .structure(let fields): object(fields)
        case .array(let inner): .array((0..<random.int(in: 0..<4)).compactMap { _ in value(of: inner) })
        case .map(let inner): .object(["a": value(of: inner) ?? .null])
        case .optional(let inner): random.chance(1, in: 2) ? value(of: inner) : nil
        // Ranges that are not in the text are dropped.
        case .named("TextRange"):
            .object([
                "part": .string(random.chance(1, in: 2) ? "setup" : "punchline"), "start": .int(0), "end": .int(0),
            ])
        case .named(let name): interface.type(named: name).flatMap { value(of: $0) }
        }
    }

    /// Any 64-bit number; the smallest and the largest are frequent.
    private mutating func number() -> Int64 {
        random.chance(1, in: 8)
            ? (random.chance(1, in: 2) ? .min : .max)
            : Int64(bitPattern: random.next()) >> Int64(random.int(in: 0..<64))
    }

    /// Clean text with characters that JSON treats specially.
    private mutating func text() -> String {
        let pieces = ["a", " ", "\"", "\\", "/", "\n", "é", "🎉", "\u{2028}", "{", "0", "null", "\u{FFFD}", "日"]
        return (0..<random.int(in: 0..<4)).map { _ in pieces[random.int(in: 0..<pieces.count)] }.joined()
    }
}
