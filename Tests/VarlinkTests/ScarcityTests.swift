import Glibc
import TestSupport
import Testing
import Unix
import Varlink

/// What holds when the kernel has nothing left to give. In processes of their own: the limits are the whole process's.
@Suite struct ScarcityTests {
    @Test("out of descriptors, a service waits, and goes on when clients leave")
    func descriptors() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let service = try EchoService()
            var limit = rlimit(rlim_cur: 64, rlim_max: 64)
            try retrying("limit descriptors") { setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) }
            let echo = #"{"method":"org.example.echo.Echo","parameters":{"text":"a"}}|"#
            // Both ends of each connection are in this process: the clients come first and take what there is.
            let connected = try Mailbox<Void>()
            service.loop.perform { try? connected.take() }
            var clients: [RawClient] = []
            while let client = try? RawClient(service.address) { clients.append(client) }
            try require(clients.count > 16, "clients connect: \(clients.count)")
            // What a service that was just asked could still open.
            clients.removeLast(4)
            for client in clients { try client.send(echo) }
            connected.put(())
            try waitForPause(service)
            try require(try clients[0].receive() == #"{"parameters":{"text":"a"}}"#, "the first client is served")
            // Room for the rest, one by one.
            var served = 1
            clients.removeFirst()
            while let client = clients.first {
                try require(try client.receive() == #"{"parameters":{"text":"a"}}"#, "client \(served) is served")
                served += 1
                clients.removeFirst()
            }
            try await waitUntil("all are forgotten") { await service.connectionCount() == 0 }
            let wasToldOfEnd = service.events.takeAll().contains {
                if case .acceptingResumed = $0 { true } else { false }
            }
            try require(wasToldOfEnd, "the log is told that it goes on")
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

/// In an exit test, a thrown error is what fails it.
private func require(_ condition: Bool, _ claim: String) throws {
    if !condition { throw Unmet(description: claim) }
}
