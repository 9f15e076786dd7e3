extension InterfaceDescription {
    /// What varlinkctl or the Python package refuses in the text although the grammar allows it, by line.
    ///
    /// Seen with varlinkctl 257 and the Python package 31; empty for a text that everybody takes.
    public var portabilityProblems: [String] {
        var problems: [String] = []
        let label = name.prefix { $0 != "." }
        if label.contains(where: { $0.isNumber || $0 == "-" }) {
            problems.append("The first label of \(name) has a digit or a dash.")
        }
        for member in members {
            if case .type(.structure(let fields)) = member.kind, fields.isEmpty {
                problems.append("Line \(member.line): type \(member.name) has no fields.")
            }
            for type in member.types {
                problems += type.portabilityProblems.map { "Line \(member.line): \(member.name) has \($0)." }
            }
        }
        return problems + commentsAfterLastField
    }

    /// Comments between the last field and the closing parenthesis, which only the text still shows.
    private var commentsAfterLastField: [String] {
        // The text was read before, so it can be split again.
        let tokens = (try? InterfaceTokens.split(text)) ?? []
        return tokens.filter { $0.text == ")" && !$0.comment.isEmpty }
            .map { "Line \($0.line): a comment precedes a closing parenthesis." }
    }
}

extension TypeDescription {
    /// What others refuse in the type, at any depth, as it reads after "has".
    fileprivate var portabilityProblems: [String] {
        switch self {
        case .bool, .int, .float, .string, .object, .named: []
        case .enumeration(let names): names.count == 1 ? ["an enumeration of one name"] : []
        case .structure(let fields): fields.flatMap { $0.type.portabilityProblems }
        case .array(.array): ["an array of arrays"]
        case .array(let inner), .map(let inner), .optional(let inner): inner.portabilityProblems
        }
    }
}
