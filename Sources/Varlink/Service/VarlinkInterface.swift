/// An interface and the methods that implement it.
public struct VarlinkInterface: Sendable {
    /// What the interface text says.
    public let description: InterfaceDescription
    let methods: [String: VarlinkMethod]

    /// Joins an interface text to its implementation.
    ///
    /// Methods that the text has and the table has not are answered with `MethodNotImplemented`. A method whose comment
    /// has the line `[Requires 'more' flag]` is called only for clients that take several replies; without that line
    /// and `[Supports 'more' flag]` a client's `more` is ignored and it gets its one reply.
    /// - Throws: `VarlinkError.invalidInterface` for a text that cannot be read, and for a method that it has not.
    public init(_ text: String, methods: [VarlinkMethod]) throws(VarlinkError) {
        description = try InterfaceDescription(text)
        for method in methods where description.method(named: method.name) == nil {
            throw .invalidInterface(line: 1, reason: "unknown method \(method.name)")
        }
        self.methods = Dictionary(methods.map { ($0.name, $0) }) { _, last in last }
    }
}
