/// What a service tells of itself, by `org.varlink.service.GetInfo`.
public struct ServiceInformation: Codable, Sendable, Hashable {
    /// Who made it.
    public let vendor: String
    /// What it is called.
    public let product: String
    /// Its version.
    public let version: String
    /// Where to read about it.
    public let url: String
    /// The names of the interfaces that it serves.
    public let interfaces: [String]
}

extension VarlinkClient {
    /// Asks the service what it is and which interfaces it serves.
    ///
    /// - Throws: as `call` does.
    public func serviceInformation() throws(VarlinkError) -> ServiceInformation {
        try call(ServiceInterface.name + ".GetInfo")
    }

    /// Asks the service for the description of an interface.
    ///
    /// - Throws: as `call` does; `VarlinkError.invalidInterface` for a text that cannot be read.
    public func interfaceDescription(of interface: String) throws(VarlinkError) -> InterfaceDescription {
        let reply: ServiceInterface.Description = try call(
            ServiceInterface.name + ".GetInterfaceDescription",
            ServiceInterface.DescriptionRequest(interface: interface))
        return try InterfaceDescription(reply.description)
    }
}
