import CCurlFaults
import HTTP
import TestSupport
import Testing
import Unix

/// A host with a refused address and then an allowed one.
@Suite struct TwoAddressTests {
    @Test(
        "the error of a host with a refused and an allowed address is the one that ended the transfer",
        .needsAuthorities)
    func endOfTransfer() async throws {
        let loop = try EventLoop()
        try loop.start(name: "addresses")
        defer { loop.stop() }
        let server = try LoopbackServer()
        await withCheckedContinuation { caller in
            loop.perform {
                curl_faults_resolve("two.example.org:\(server.port):127.0.0.2,127.0.0.1")
                caller.resume()
            }
        }
        let client = HTTPClient(loop: loop, userAgent: "t", proxies: .none)
        var request = HTTPRequest(url: "https://two.example.org:\(server.port)/")
        request.limits.allowedAddresses = [try #require(AddressBlock("127.0.0.1/32"))]
        func failure() async throws -> HTTPError {
            try #require(await #expect(throws: HTTPError.self) { try await client.fetch(request) })
        }
        // The server waits for a request, and the client for a TLS handshake.
        let task = Task { [request] in try await client.fetch(request) }
        try await waitUntil("the client is connected") { server.openConnections == 1 }
        task.cancel()
        let error = await #expect(throws: HTTPError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        request.limits.total = .milliseconds(200)
        #expect(try await failure().code == .timeout)
        request.limits.total = .seconds(30)
        server.stop()
        let refused = try await failure()
        #expect(refused.cause == "cannot connect to two.example.org: connection refused", "\(refused)")
        // Without an allowed address, the refusal is the reason.
        request.limits.allowedAddresses = []
        #expect(try await failure().code == .addressRefused)
    }
}
