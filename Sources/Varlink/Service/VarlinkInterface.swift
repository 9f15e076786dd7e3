/// An interface and the methods that implement it.
public struct VarlinkInterface: Sendable {
    /// The description of the interface.
    public let description: InterfaceDescription
    let methods: [String: VarlinkMethod]

    /// Creates an interface from its text and its methods.
    ///
    /// Methods without an implementation reply with `MethodNotImplemented`. A method with the line `[Requires 'more'
    /// flag]` in its comment is only called for clients that accept several replies. Without this line and `[Supports
    /// 'more' flag]`, `more` is ignored, and the client gets one reply.
    /// - Throws: `VarlinkError.invalidInterface` if the text cannot be read, or does not have one of the methods.
    public init(_ text: String, methods: [VarlinkMethod]) throws(VarlinkError) {
        description = try InterfaceDescription(text)
        for method in methods where description.method(named: method.name) == nil {
            throw .invalidInterface(line: 1, reason: "unknown method \(method.name)")
        }
        self.methods = Dictionary(methods.map { ($0.name, $0) }) { _, last in last }
    }
}
