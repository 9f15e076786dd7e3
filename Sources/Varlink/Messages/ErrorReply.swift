import JSON

/// An error of an interface, with its parameters.
///
/// Handlers of a service throw it. Clients find it in `VarlinkError.refused`.
public struct ErrorReply: Error, Sendable, Equatable, CustomStringConvertible {
    /// The qualified name: `org.varlink.service.MethodNotFound`.
    public let name: String
    /// The parameters as a JSON object.
    let parameters: [UInt8]

    /// An error without parameters.
    public init(_ name: String) { self.init(name: name, json: Array("{}".utf8)) }

    /// An error with parameters.
    ///
    /// Parameters that cannot be encoded are left out, so that the error is sent in any case.
    public init(_ name: String, _ parameters: some Encodable) {
        self.init(name: name, json: (try? JSONEncoding.encode(parameters)) ?? Array("{}".utf8))
    }

    /// An error of an interface from a type that encodes itself as an object with one member: the name of the error,
    /// and its parameters. A `Codable` enum does so: `case tooLate(by: Int)` is the error `tooLate (by: int)`, or has
    /// another name by its coding key.
    ///
    /// A value that cannot be encoded in this way becomes the error `InvalidError` of the interface.
    public init(_ error: some Encodable, of interface: String) {
        let object = try? JSONDocument(JSONEncoding.encode(error)).root
        let member = object?.members.first { _ in true }
        self.init(
            name: "\(interface).\(member?.name.string ?? "InvalidError")",
            json: member.map { Array($0.value.json) } ?? Array("{}".utf8))
    }

    init(name: String, json: [UInt8]) {
        (self.name, parameters) = (name, json)
    }

    /// Returns the error as such a type; nil if it is of another interface, or not one of the type's errors.
    public func error<Value: Decodable>(as type: Value.Type, of interface: String) -> Value? {
        guard name.hasPrefix("\(interface).") else { return nil }
        let object = SharedJSONWriter()
        object.writer.openObject()
        object.writer.write(key: String(name.dropFirst(interface.count + 1)), at: 1)
        object.writer.write(json: parameters[...])
        return try? JSONDocument(object.writer.finish()).root.decode(type)
    }

    /// Returns the parameters as a type.
    ///
    /// - Throws: `VarlinkError.unexpectedReply`.
    public func parameters<Value: Decodable>(as type: Value.Type) throws(VarlinkError) -> Value {
        do throws(JSONError) {
            return try JSONDocument(parameters).root.decode(type)
        } catch {
            throw .unexpectedReply(reason: "\(error)")
        }
    }

    /// The name and the parameters, which may contain any text of the other side.
    public var description: String {
        parameters.count > 2 ? "\(name) \(String(decoding: parameters, as: UTF8.self))" : name
    }
}

/// The errors of `org.varlink.service`.
extension ErrorReply {
    static let prefix = "org.varlink.service."

    /// There is no such interface.
    public static func interfaceNotFound(_ interface: String) -> ErrorReply {
        ErrorReply(prefix + "InterfaceNotFound", ["interface": interface])
    }

    /// The interface has no such method.
    public static func methodNotFound(_ method: String) -> ErrorReply {
        ErrorReply(prefix + "MethodNotFound", ["method": method])
    }

    /// The interface has the method, but the service does not implement it.
    public static func methodNotImplemented(_ method: String) -> ErrorReply {
        ErrorReply(prefix + "MethodNotImplemented", ["method": method])
    }

    /// A parameter is unknown or missing, or has a wrong type or value.
    ///
    /// The name of a nested parameter is its path, such as `view.size` or `ids[2]`.
    public static func invalidParameter(_ parameter: String) -> ErrorReply {
        ErrorReply(prefix + "InvalidParameter", ["parameter": parameter])
    }

    /// The client does not have the permission.
    public static let permissionDenied = ErrorReply(prefix + "PermissionDenied")

    /// The method requires a call that accepts several replies.
    public static let expectedMore = ErrorReply(prefix + "ExpectedMore")
}
