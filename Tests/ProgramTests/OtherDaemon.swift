import TestSupport
import Varlink

/// Another server at a daemon's socket: another version of jokesd, or another service.
final class OtherDaemon {
    let socket: String
    private let folder: TemporaryFolder
    private let loop: VarlinkLoop
    private let service: VarlinkService

    /// Serves one interface, with this product and version.
    init(product: String = "jokesd", version: String, _ interface: String, methods: [VarlinkMethod] = []) throws {
        folder = try TemporaryFolder()
        socket = folder.path("s")
        loop = try VarlinkLoop()
        service = VarlinkService(
            ServiceInformation(vendor: "test", product: product, version: version, url: "https://test.invalid"),
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
