import Glibc
import TestSupport
import Testing
import Unix
import Varlink

/// Sockets that were opened before the start, by systemd or another program.
@Suite struct PassedSocketTests {
    private struct Info: Decodable {
        let interfaces: [String]
    }

    private func makeService() throws -> (service: VarlinkService, loop: VarlinkLoop) {
        let loop = try VarlinkLoop()
        let service = VarlinkService(
            .init(vendor: "v", product: "p", version: "1", url: "u"), interfaces: [], on: loop,
            explain: { _ in .permissionDenied })
        return (service, loop)
    }

    private func stop(_ service: VarlinkService, _ loop: VarlinkLoop) throws {
        let stopped = try Mailbox<Void>()
        loop.perform {
            service.stop()
            loop.stop()
            stopped.put(())
        }
        try stopped.take("the service stopped")
    }

    @Test("a passed socket is served, and its file is not removed")
    func listening() throws {
        let folder = try TemporaryFolder()
        let listener = try ListeningSocket(at: SocketAddress(folder.path("socket")), mode: 0o600)
        let (service, loop) = try makeService()
        try service.serve(PassedSocket(descriptor: dup(listener.rawValue), name: "varlink"))
        try loop.start()
        let info: Info = try VarlinkClient(connectingTo: folder.path("socket")).call("org.varlink.service.GetInfo")
        #expect(info.interfaces == ["org.varlink.service"])
        try stop(service, loop)
        #expect(access(folder.path("socket"), F_OK) == 0)
    }

    @Test("a passed connection is served, as for a socket unit with Accept=yes")
    func connected() throws {
        let (service, loop) = try makeService()
        var ends: [Int32] = [0, 0]
        try retrying("make a pair") { socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) }
        let client = RawClient(owning: ends[1])
        try service.serve(PassedSocket(descriptor: ends[0], name: "connection"))
        try loop.start()
        try client.send(#"{"method":"org.varlink.service.Nothing"}|"#)
        let expected =
            #"{"error":"org.varlink.service.MethodNotFound","parameters":{"method":"org.varlink.service.Nothing"}}"#
        #expect(try client.receive() == expected)
        try stop(service, loop)
        #expect(try client.receive() == nil)
    }

    @Test("clients use an existing connection, and refuse and close other descriptors")
    func adopted() throws {
        let (service, loop) = try makeService()
        var ends: [Int32] = [0, 0]
        try retrying("make a pair") { socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) }
        try service.serve(PassedSocket(descriptor: ends[0], name: "connection"))
        let client = try VarlinkClient(adopting: ends[1])
        try retrying("make a pair") { socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) }
        try service.serve(PassedSocket(descriptor: ends[0], name: "connection"))
        let connection = try VarlinkConnection(adopting: ends[1], on: loop)
        let product = try Mailbox<String?>()
        connection.call("org.varlink.service.GetInfo", returning: ServiceInformation.self) {
            product.put(try? $0.get().product)
        }
        try loop.start()
        #expect(try client.serviceInformation().product == "p")
        #expect(try product.take() == "p")
        try stop(service, loop)

        let pipe = try makePipe()
        let writing = Descriptor(owning: pipe.writing)
        #expect(throws: VarlinkError.self) { try VarlinkClient(adopting: pipe.reading) }
        try waitUntil(writing.rawValue, isReadyFor: POLLERR)
    }

    @Test("a descriptor that is not a Unix stream socket is refused, because it has no credentials")
    func refused() throws {
        let (service, _) = try makeService()
        let descriptors: [(Int32, Int32)] = [
            (socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0), EAFNOSUPPORT),
            (socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0), EPROTOTYPE),
            (open("/dev/null", O_RDONLY), ENOTSOCK),
        ]
        for (descriptor, code) in descriptors {
            do throws(VarlinkError) {
                try service.serve(PassedSocket(descriptor: descriptor, name: "odd"))
                Issue.record("\(descriptor) is served")
            } catch {
                guard case .system(_, code) = error else {
                    Issue.record("\(error)")
                    continue
                }
            }
        }
    }

    @Test("a refused descriptor is closed")
    func refusedIsClosed() throws {
        let (service, _) = try makeService()
        let pipe = try makePipe()
        let writing = Descriptor(owning: pipe.writing)
        #expect(throws: VarlinkError.self) { try service.serve(PassedSocket(descriptor: pipe.reading, name: "odd")) }
        // The kernel reports an error to the writer of a pipe when the last reader has gone.
        try waitUntil(writing.rawValue, isReadyFor: POLLERR)
    }
}
