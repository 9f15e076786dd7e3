import JSON

/// An error as one side tells the other: a name of an interface's description, and that error's parameters.
///
/// A service's handlers throw it, a client finds it in `VarlinkError.refused`.
public struct ErrorReply: Error, Sendable, Equatable {
    /// The qualified name: `org.varlink.service.MethodNotFound`.
    public let name: String
    /// The parameters, as a JSON object.
    let parameters: [UInt8]

    /// An error without parameters.
    public init(_ name: String) {
        self.name = name
        parameters = Array("{}".utf8)
    }

    /// An error with parameters.
    ///
    /// Parameters that cannot be written as JSON are left out: the error itself must still arrive.
    public init(_ name: String, _ parameters: some Encodable) {
        self.name = name
        self.parameters = (try? JSONEncoding.encode(parameters)) ?? Array("{}".utf8)
    }

    init(name: String, json: [UInt8]) {
        self.name = name
        parameters = json
    }

    /// The parameters, read as a type.
    ///
    /// - Throws: `VarlinkError.unexpectedReply`.
    public func parameters<Value: Decodable>(as type: Value.Type) throws(VarlinkError) -> Value {
        do throws(JSONError) {
            return try JSONDocument(parameters).root.decode(type)
        } catch {
            throw .unexpectedReply(reason: "\(error)")
        }
    }
}

extension ErrorReply: CustomStringConvertible {
    /// The name and the parameters as JSON, which may hold anything the other side sent.
    public var description: String {
        parameters.count > 2 ? "\(name) \(String(decoding: parameters, as: UTF8.self))" : name
    }
}

/// The errors of `org.varlink.service`, which every service may answer.
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

    /// The interface has the method, the service does not.
    public static func methodNotImplemented(_ method: String) -> ErrorReply {
        ErrorReply(prefix + "MethodNotImplemented", ["method": method])
    }

    /// The parameter is unknown, is missing, has the wrong type or an impossible value.
    ///
    /// Where it lies deeper, its name is the way to it: `view.size`, `ids[2]`.
    public static func invalidParameter(_ parameter: String) -> ErrorReply {
        ErrorReply(prefix + "InvalidParameter", ["parameter": parameter])
    }

    /// The client may not do this.
    public static let permissionDenied = ErrorReply(prefix + "PermissionDenied")

    /// The method answers only calls that take more than one reply.
    public static let expectedMore = ErrorReply(prefix + "ExpectedMore")
}
