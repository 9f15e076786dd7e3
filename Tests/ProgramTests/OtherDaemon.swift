import JokesProtocol
import TestSupport
import Varlink

/// Another server at a daemon's socket: another version of jokesd, another service, or rare answers.
final class OtherDaemon {
    let socket: String
    private let folder: TemporaryFolder
    private let loop: VarlinkLoop
    private let service: VarlinkService

    /// Answers some calls as a test requires, for answers that are rare in a real daemon.
    convenience init(_ methods: [VarlinkMethod]) throws {
        try self.init(version: "0", JokesInterface.description, methods: methods)
    }

    /// Serves one interface, with this product and version.
    init(
        vendor: String = "test", product: String = "jokesd", version: String, url: String = "https://test.invalid",
        _ interface: String, methods: [VarlinkMethod] = []
    ) throws {
        folder = try TemporaryFolder()
        socket = folder.path("s")
        loop = try VarlinkLoop()
        service = VarlinkService(
            ServiceInformation(vendor: vendor, product: product, version: version, url: url),
            interfaces: [try VarlinkInterface(interface, methods: methods)], on: loop,
            explain: { _ in .permissionDenied })
        try service.listen(at: socket)
        try loop.start(name: "other")
    }

    deinit {
        loop.perform { [service, loop] in
            service.stop()
            loop.stop()
        }
    }
}
