import Glibc
import TestSupport
import Testing
import Unix
import Varlink

/// Shortages of kernel resources. Each test has its own process, because the limits are those of a process.
@Suite struct ScarcityTests {
    @Test("without free descriptors, a service pauses, and resumes when clients leave")
    func descriptors() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let service = try EchoService()
            var limit = rlimit(rlim_cur: 64, rlim_max: 64)
            try retrying("limit descriptors") { setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) }
            let echo = #"{"method":"org.example.echo.Echo","parameters":{"text":"a"}}|"#
            // Both ends of each connection are in this process. The clients take all free descriptors first.
            let connected = try Mailbox<Void>()
            service.loop.perform { try? connected.take() }
            var clients: [RawClient] = []
            while let client = try? RawClient(service.address) { clients.append(client) }
            try require(clients.count > 16, "clients connect: \(clients.count)")
            // The descriptors that the service can still open.
            clients.removeLast(4)
            for client in clients { try client.send(echo) }
            connected.put(())
            try waitForPause(service)
            try require(try clients[0].receive() == #"{"parameters":{"text":"a"}}"#, "the first client is served")
            // Frees descriptors for the others, one by one.
            var served = 1
            clients.removeFirst()
            while let client = clients.first {
                try require(try client.receive() == #"{"parameters":{"text":"a"}}"#, "client \(served) is served")
                served += 1
                clients.removeFirst()
            }
            try await waitUntil("all are forgotten") { await service.connectionCount() == 0 }
            let hasLoggedEnd = service.events.takeAll().contains {
                if case .acceptingResumed = $0 { true } else { false }
            }
            try require(hasLoggedEnd, "the log says that the service continues")
        }
        if let errors = result?.standardErrorContent, !errors.isEmpty { print(String(decoding: errors, as: UTF8.self)) }
    }
}

private func waitForPause(_ service: EchoService) throws {
    while true {
        guard case .acceptingPaused(let reason) = try service.events.take("accepting was paused") else { continue }
        return try require(reason == "too many open files", reason)
    }
}

private struct Unmet: Error, CustomStringConvertible {
    let description: String
}

/// An exit test fails if it throws an error.
private func require(_ condition: Bool, _ claim: String) throws {
    if !condition { throw Unmet(description: claim) }
}
