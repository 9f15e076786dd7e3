/// Any JSON value: for the types `object` and `any`, whose members an interface does not name.
///
/// A whole number that does not fit into `Int64` is a `double`.
public enum AnyJSON: Hashable, Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case string(String)
    case array([AnyJSON])
    case object([String: AnyJSON])
}

extension AnyJSON: Codable {
    /// Decodes any value.
    ///
    /// - Throws: An error of the decoder.
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let string = try? value.decode(String.self) {
            self = .string(string)
        } else if let int = try? value.decode(Int64.self) {
            self = .int(int)
        } else if let double = try? value.decode(Double.self) {
            self = .double(double)
        } else if (try? decoder.unkeyedContainer()) != nil {
            self = .array(try value.decode([AnyJSON].self))
        } else {
            self = .object(try value.decode([String: AnyJSON].self))
        }
    }

    /// Encodes the value as it was decoded.
    ///
    /// - Throws: An error of the encoder, such as for a `double` that is not finite.
    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null: try value.encodeNil()
        case .bool(let bool): try value.encode(bool)
        case .int(let int): try value.encode(int)
        case .double(let double): try value.encode(double)
        case .string(let string): try value.encode(string)
        case .array(let elements): try value.encode(elements)
        case .object(let members): try value.encode(members)
        }
    }
}
