import Glibc
import TestSupport
import Testing
import Varlink

@Suite struct LoopClientTests {
    private typealias Text = EchoService.Text

    /// The events of a connection.
    private enum Received: Equatable, Sendable {
        case reply(Int, String)
        case failure(Int)
        case closed(isError: Bool)
    }

    /// Connects on the service's loop, and collects the events.
    private func connect(
        _ service: EchoService, _ received: Mailbox<Received>, _ body: @escaping @Sendable (VarlinkConnection) -> Void
    ) {
        service.loop.perform { [loop = service.loop, address = service.address] in
            do {
                body(try VarlinkConnection(to: address, on: loop) { received.put(.closed(isError: $0 != nil)) })
            } catch {
                Issue.record(error)
            }
        }
    }

    @Test("overlapping calls get their replies in order")
    func calls() throws {
        let service = try EchoService()
        let received = try Mailbox<Received>()
        connect(service, received) { connection in
            for number in 0..<100 {
                connection.call("org.example.echo.Echo", Text(text: "\(number)"), returning: Text.self) { result in
                    received.put((try? result.get()).map { .reply(number, $0.text) } ?? .failure(number))
                }
            }
            connection.call("org.example.echo.Fail", Text(text: "x"), returning: NoParameters.self) { result in
                guard case .failure(.refused) = result else { return }
                received.put(.failure(100))
            }
        }
        for number in 0..<100 { #expect(try received.take() == .reply(number, "\(number)")) }
        #expect(try received.take() == .failure(100))
    }

    @Test("closing is reported without an error, and later calls fail")
    func close() throws {
        let service = try EchoService()
        let received = try Mailbox<Received>()
        connect(service, received) { connection in
            connection.close()
            connection.close()
            connection.call("org.example.echo.Echo", Text(text: "late"), returning: Text.self) { _ in
                received.put(.failure(0))
            }
        }
        #expect(try received.take() == .closed(isError: false))
        #expect(try received.take() == .failure(0))
    }

    @Test("calls of the turn in which the connection is closed are sent")
    func callsBeforeClosing() async throws {
        let service = try EchoService()
        let received = try Mailbox<Received>()
        connect(service, received) { connection in
            try? connection.callOneway("org.example.echo.Note", Text(text: "noted"))
            connection.call("org.example.echo.Echo", Text(text: "unheard"), returning: Text.self) { _ in
                received.put(.failure(0))
            }
            connection.close()
        }
        #expect(try (0..<2).map { _ in try received.take() } == [.failure(0), .closed(isError: false)])
        try await waitUntil("the note was taken") { await service.state.notes == ["noted"] }
    }
}
