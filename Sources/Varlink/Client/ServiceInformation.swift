/// The reply to `org.varlink.service.GetInfo`.
public struct ServiceInformation: Codable, Sendable, Hashable {
    /// The vendor of the service.
    public let vendor: String
    /// The name of the product.
    public let product: String
    /// The version of the product.
    public let version: String
    /// The URL of the documentation.
    public let url: String
    /// The names of the interfaces, which the service adds.
    public internal(set) var interfaces: [String] = []

    /// Creates the information about a service.
    public init(vendor: String, product: String, version: String, url: String) {
        (self.vendor, self.product, self.version, self.url) = (vendor, product, version, url)
    }
}

extension VarlinkClient {
    /// Calls `GetInfo`.
    ///
    /// - Throws: The errors of `call`.
    public func serviceInformation() throws(VarlinkError) -> ServiceInformation {
        try call(ServiceInterface.name + ".GetInfo")
    }

    /// Returns the description of an interface of the service. The timeout is as for `call`.
    ///
    /// - Throws: The errors of `call`; `VarlinkError.invalidInterface` if the text cannot be read.
    public func interfaceDescription(
        of interface: String, timeout: Duration? = nil
    ) throws(VarlinkError) -> InterfaceDescription {
        let reply: ServiceInterface.Description = try call(
            ServiceInterface.name + ".GetInterfaceDescription",
            ServiceInterface.DescriptionRequest(interface: interface), timeout: timeout)
        return try InterfaceDescription(reply.description)
    }
}
