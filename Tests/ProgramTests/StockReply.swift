import FoundationEssentials

/// The replies that stock clients accept. varlinkctl disconnects on an unknown key and on a null value.
enum StockReply {
    private struct Shape: Decodable {
        struct Key: CodingKey {
            let stringValue: String
            let intValue: Int? = nil
            init?(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        let keys: Set<String>
        let isNull: Bool
        let continues: Bool?

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            keys = Set(container.allKeys.map(\.stringValue))
            isNull = try container.allKeys.contains { try container.decodeNil(forKey: $0) }
            continues = try container.decodeIfPresent(Bool.self, forKey: Key(stringValue: "continues")!)
        }
    }

    /// Returns the reason for which a stock client would reject the reply; `nil` if it would accept it.
    static func problem(with reply: String) throws -> String? {
        if reply.utf8.count > 1 << 20 { return "it is longer than a message may be" }
        let shape = try JSONDecoder().decode(Shape.self, from: Data(reply.utf8))
        if shape.isNull { return "a key is null" }
        if shape.continues == false { return "continues is false" }
        let strange = shape.keys.subtracting(["parameters", "continues", "error"])
        return strange.isEmpty ? nil : "\(strange)"
    }
}
