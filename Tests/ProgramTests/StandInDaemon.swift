import JokesProtocol
import TestSupport
import Varlink

/// A server that answers some calls as a test requires, for answers that are rare in a real daemon.
final class StandInDaemon {
    let socket: String
    private let folder: TemporaryFolder
    private let loop: VarlinkLoop
    private let service: VarlinkService

    init(_ methods: [VarlinkMethod]) throws {
        folder = try TemporaryFolder()
        socket = folder.path("s")
        loop = try VarlinkLoop()
        service = VarlinkService(
            ServiceInformation(vendor: "jokesd", product: "stand-in", version: "0", url: "https://example.org"),
            interfaces: [try VarlinkInterface(JokesInterface.description, methods: methods)],
            on: loop, explain: { _ in .permissionDenied })
        try service.listen(at: socket)
        try loop.start(name: "stand-in")
    }

    deinit {
        loop.perform { [service, loop] in
            service.stop()
            loop.stop()
        }
    }
}
