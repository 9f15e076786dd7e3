/// The interface `org.varlink.service`, which every service has.
enum ServiceInterface {
    static let name = "org.varlink.service"

    static let text = """
        # The Varlink Service Interface is provided by every varlink service. It
        # describes the service and the interfaces it implements.
        interface org.varlink.service

        # Get a list of all the interfaces a service provides and information
        # about the implementation.
        method GetInfo() -> (
          vendor: string,
          product: string,
          version: string,
          url: string,
          interfaces: []string
        )

        # Get the description of an interface that is implemented by this service.
        method GetInterfaceDescription(interface: string) -> (description: string)

        # The requested interface was not found.
        error InterfaceNotFound (interface: string)

        # The requested method was not found
        error MethodNotFound (method: string)

        # The interface defines the requested method, but the service does not
        # implement it.
        error MethodNotImplemented (method: string)

        # One of the passed parameters is invalid.
        error InvalidParameter (parameter: string)

        # Client is denied access
        error PermissionDenied ()

        # Method is expected to be called with 'more' set to true, but wasn't
        error ExpectedMore ()

        """

    struct DescriptionRequest: Codable { let interface: String }

    struct Description: Codable { let description: String }

    static func make(_ information: ServiceInformation, _ interfaces: [VarlinkInterface]) -> VarlinkInterface {
        var texts = Dictionary(interfaces.map { ($0.description.name, $0.description.text) }) { first, _ in first }
        texts[name] = text
        var information = information
        information.interfaces = [name] + interfaces.map(\.description.name)
        let methods: [VarlinkMethod] = [
            .answer("GetInfo") { [information] in information },
            .answer("GetInterfaceDescription") { [texts] (request: DescriptionRequest) in
                guard let text = texts[request.interface] else {
                    throw ErrorReply.interfaceNotFound(request.interface.shortenedForReply)
                }
                return Description(description: text)
            },
        ]
        do throws(VarlinkError) {
            return try VarlinkInterface(text, methods: methods)
        } catch {
            // The text above is valid, as a test shows.
            preconditionFailure("org.varlink.service: \(error)")
        }
    }
}
