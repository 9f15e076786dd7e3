extension VarlinkJSON {
    /// What is wrong with a text that was to be read, and where.
    package struct Complaint: Error, Hashable, Sendable {
        /// An index of the bytes that were read.
        package let index: Int
        /// A part of a sentence, and it may quote keys of the text.
        package let reason: String

        package init(index: Int, reason: String) {
            self.index = index
            self.reason = reason
        }
    }

    /// Reads the one value that is in the bytes, with the rules of messages, and says where something else is.
    package static func decode<Value: Decodable>(
        _ type: Value.Type, from bytes: ArraySlice<UInt8>
    ) throws(Complaint) -> Value {
        let document: JSONDocument
        do throws(JSONDocument.Malformed) {
            document = try JSONDocument(Array(bytes))
        } catch {
            throw Complaint(index: bytes.startIndex + error.offset, reason: error.reason)
        }
        do {
            return try document.decode(type, at: 0)
        } catch {
            let (node, reason) = document.explain(error)
            throw Complaint(index: bytes.startIndex + document.start(of: node), reason: reason)
        }
    }
}

extension JSONDocument {
    /// Where a value begins, a string with its quote.
    fileprivate func start(of node: Int) -> Int {
        Int(nodes[node].start) - (nodes[node].kind == .string ? 1 : 0)
    }

    /// The node that an error is about, and what is wrong there.
    fileprivate func explain(_ error: any Error) -> (node: Int, reason: String) {
        switch error {
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context), DecodingError.keyNotFound(_, let context):
            var description = context.debugDescription
            if description.last == "." { description.removeLast() }
            let keys = context.codingPath.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }
            let path = String(keys.joined().drop { $0 == "." })
            return (node(at: context.codingPath), path.isEmpty ? description : "\(path): \(description)")
        default:
            return (0, "\(error)")
        }
    }

    /// The node that the keys lead to, or the last that is there on the way.
    private func node(at path: [any CodingKey]) -> Int {
        var node = 0
        for key in path {
            var next: Int?
            switch nodes[node].kind {
            case .object:
                forEachMember(of: node) { name, value in
                    if string(at: name, equals: key.stringValue) { next = value }
                    return next == nil
                }
            case .array:
                let elements = elements(of: node)
                next = key.intValue.flatMap { elements.indices.contains($0) ? elements[$0] : nil }
            case .null, .bool, .number, .string: break
            }
            guard let next else { return node }
            node = next
        }
        return node
    }
}
