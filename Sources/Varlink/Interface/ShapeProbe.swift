/// Finds what a `Decodable` type reads, by having it read a made-up value of a described type.
///
/// The value has every optional field, down to a depth at which recursive types end, and one element in every array.
/// Of enumerations each round offers another name, so that types which read on by a name read all they can. A structure
/// with a `kind` may have a field for the data of each, named like it: Swift reads it as present where its kind is.
final class ShapeProbe {
    private let interface: InterfaceDescription
    /// Which name of each enumeration is offered.
    private var round = 0
    private var problems: [String] = []
    /// The fields that were read in some round, and all that were there to be read, with the first place of each.
    private var readFields: Set<String> = []
    private var offeredFields: [(field: String, place: String)] = []

    private static let maximumDepth = 5

    init(_ interface: InterfaceDescription) {
        self.interface = interface
    }

    /// What differs between the fields and what the type reads; empty where they agree.
    func differences(of type: any Decodable.Type, from fields: [FieldDescription]) -> [String] {
        for round in 0..<largestEnumeration(in: fields) {
            self.round = round
            do {
                _ = try type.init(from: Offer(probe: self, type: .structure(fields), place: ""))
            } catch {
                report("", "cannot be read: \(error)")
            }
        }
        for (field, place) in offeredFields where !readFields.contains(field) { report(place, "is never read") }
        return problems
    }

    private func largestEnumeration(in fields: [FieldDescription]) -> Int {
        func size(_ type: TypeDescription) -> Int {
            switch type {
            case .enumeration(let names): names.count
            case .structure(let fields): fields.map { size($0.type) }.max() ?? 1
            case .array(let inner), .map(let inner), .optional(let inner): size(inner)
            case .bool, .int, .float, .string, .object, .named: 1
            }
        }
        let types = interface.members.flatMap(\.types) + fields.map(\.type)
        return max(1, types.map(size).max() ?? 1)
    }

    private func report(_ place: String, _ problem: String) {
        let text = "\(place.isEmpty ? "the whole" : place) \(problem)"
        if !problems.contains(text) { problems.append(text) }
    }

    // MARK: Offers

    /// A value of a described type, at a place.
    struct Offer {
        let probe: ShapeProbe
        let type: TypeDescription
        let place: String
        var depth = 0

        /// The fields it has; none, and a word about it, where it is no structure.
        fileprivate var fields: [FieldDescription] {
            guard case .structure(let fields) = probe.interface.resolve(type) else {
                probe.report(place, "is read as an object")
                return []
            }
            return fields
        }

        fileprivate var isMap: Bool {
            if case .map = probe.interface.resolve(type) { true } else { false }
        }

        /// The value of a field.
        fileprivate func field(_ name: String, isOptional: Bool) -> Offer? {
            let place = place.isEmpty ? name : "\(self.place).\(name)"
            if case .map(let value) = probe.interface.resolve(type) {
                return Offer(probe: probe, type: value, place: "\(self.place)[]", depth: depth + 1)
            }
            guard let field = fields.first(where: { $0.name == name }) else {
                probe.report(place, "is not in the interface")
                return nil
            }
            probe.readFields.insert(identity(of: name))
            let isPayload = isPayload(name)
            if field.isOptional != isOptional && !isPayload {
                probe.report(place, isOptional ? "may be absent only in Swift" : "may be absent only in the interface")
            }
            var type = field.type
            if case .optional(let inner) = type {
                // A payload belongs to its kind at any depth; recursion ends at the other optional fields.
                guard depth < ShapeProbe.maximumDepth || (isPayload && !isOptional) else { return nil }
                type = inner
            }
            return Offer(probe: probe, type: type, place: place, depth: depth + 1)
        }

        /// Tells a field from all others: by its type where that has a name, and so is the same at many places.
        private func identity(of name: String) -> String {
            if case .named(let typeName) = type { "\(typeName).\(name)" } else { "\(place).\(name)" }
        }

        /// Whether the field is the data of one of the structure's kinds: optional in the text, and there with its kind.
        private func isPayload(_ name: String) -> Bool {
            guard let kind = fields.first(where: { $0.name == "kind" }) else { return false }
            if case .enumeration(let names) = probe.interface.resolve(kind.type) { return names.contains(name) }
            return false
        }

        fileprivate func offerFields() {
            guard !isMap else { return }
            for field in fields {
                let place = place.isEmpty ? field.name : "\(self.place).\(field.name)"
                let identity = identity(of: field.name)
                if !probe.offeredFields.contains(where: { $0.field == identity }) {
                    probe.offeredFields.append((identity, place))
                }
            }
        }

        fileprivate func take<Value>(_ value: Value, as expected: TypeDescription) -> Value {
            if probe.interface.resolve(type) != expected { probe.report(place, "is read as \(expected)") }
            return value
        }

        fileprivate var text: String {
            if case .enumeration(let names) = probe.interface.resolve(type) { return names[probe.round % names.count] }
            return take("", as: .string)
        }
    }
}

extension ShapeProbe.Offer: Decoder {
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        offerFields()
        return KeyedDecodingContainer(OfferedFields<Key>(offer: self))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer {
        guard case .array(let element) = probe.interface.resolve(type) else {
            probe.report(place, "is read as an array")
            return OfferedElements(offer: nil)
        }
        let offer = ShapeProbe.Offer(probe: probe, type: element, place: "\(place)[]", depth: depth + 1)
        return OfferedElements(offer: depth < 8 ? offer : nil)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer {
        OfferedValue(offer: self)
    }
}

private struct OfferedFields<Key: CodingKey>: KeyedDecodingContainerProtocol {
    /// The keys that were asked for before they were read, as optional ones are.
    private final class Asked {
        var keys: Set<String> = []
    }

    let offer: ShapeProbe.Offer
    private let asked = Asked()

    init(offer: ShapeProbe.Offer) {
        self.offer = offer
    }

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { offer.isMap ? [Key(stringValue: "key")].compactMap { $0 } : [] }

    func contains(_ key: Key) -> Bool {
        asked.keys.insert(key.stringValue)
        return offer.field(key.stringValue, isOptional: true) != nil
    }

    func decodeNil(forKey key: Key) -> Bool { offer.field(key.stringValue, isOptional: true) == nil }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try T(from: required(key))
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        try offer.field(key.stringValue, isOptional: true).map { try T(from: $0) }
    }

    private func required(_ key: Key) throws -> ShapeProbe.Offer {
        let isOptional = asked.keys.contains(key.stringValue)
        if let field = offer.field(key.stringValue, isOptional: isOptional) { return field }
        throw DecodingError.keyNotFound(key, DecodingError.Context(codingPath: [], debugDescription: "not described"))
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try required(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try required(key).unkeyedContainer()
    }

    func superDecoder() -> any Decoder { offer }
    func superDecoder(forKey key: Key) throws -> any Decoder { try required(key) }
}

/// The one element of an array that is offered; none where recursion ends.
private struct OfferedElements: UnkeyedDecodingContainer {
    let offer: ShapeProbe.Offer?
    var currentIndex = 0

    var codingPath: [any CodingKey] { [] }
    var count: Int? { offer == nil ? 0 : 1 }
    var isAtEnd: Bool { offer == nil || currentIndex > 0 }

    private mutating func take() throws -> ShapeProbe.Offer {
        guard !isAtEnd, let offer else {
            let context = DecodingError.Context(codingPath: [], debugDescription: "more than one element is due")
            throw DecodingError.valueNotFound(Any.self, context)
        }
        currentIndex += 1
        return offer
    }

    mutating func decodeNil() -> Bool { false }
    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try T(from: take()) }
    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try take().container(keyedBy: type)
    }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try take().unkeyedContainer() }
    mutating func superDecoder() throws -> any Decoder { try take() }
}

private struct OfferedValue: SingleValueDecodingContainer {
    let offer: ShapeProbe.Offer

    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { false }
    func decode(_ type: String.Type) -> String { offer.text }
    func decode(_ type: Bool.Type) -> Bool { offer.take(true, as: .bool) }
    func decode(_ type: Double.Type) -> Double { offer.take(1, as: .float) }
    func decode(_ type: Float.Type) -> Float { offer.take(1, as: .float) }
    func decode(_ type: Int.Type) -> Int { offer.take(1, as: .int) }
    func decode(_ type: Int8.Type) -> Int8 { offer.take(1, as: .int) }
    func decode(_ type: Int16.Type) -> Int16 { offer.take(1, as: .int) }
    func decode(_ type: Int32.Type) -> Int32 { offer.take(1, as: .int) }
    func decode(_ type: Int64.Type) -> Int64 { offer.take(1, as: .int) }
    func decode(_ type: UInt.Type) -> UInt { offer.take(1, as: .int) }
    func decode(_ type: UInt8.Type) -> UInt8 { offer.take(1, as: .int) }
    func decode(_ type: UInt16.Type) -> UInt16 { offer.take(1, as: .int) }
    func decode(_ type: UInt32.Type) -> UInt32 { offer.take(1, as: .int) }
    func decode(_ type: UInt64.Type) -> UInt64 { offer.take(1, as: .int) }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try T(from: offer) }
}
