import CCurlFaults
import Glibc
import HTTP
import TestSupport
import Testing
import Unix

/// Makes each call of libcurl fail in turn, during a redirected fetch.
@Suite struct LibraryFaultTests {
    /// A server and a new client on their own loop, because faults belong to threads.
    private final class Scene {
        let server: LoopbackServer
        let loop: EventLoop
        var client: HTTPClient?

        init(_ loop: EventLoop) throws {
            self.loop = loop
            server = try LoopbackServer()
            server.route("/moved", .redirect(to: "/jokes"))
            server.route("/jokes", .text("quack", type: "text/plain"))
            client = HTTPClient(loop: loop, userAgent: "t", proxies: .none)
        }

        func fetch() async throws -> String {
            let request = HTTPRequest(url: server.url + "/moved", headers: ["Accept": "*/*"], allowsLocalNetwork: true)
            return text(try await client!.fetch(request))
        }
    }

    @Test(
        "whichever call of libcurl's fails, the fetch says so or has its answer, nothing stays, and the next one works")
    func everyCall() async throws {
        let loop = try EventLoop()
        try loop.start(name: "faults")
        defer { loop.stop() }
        let calls = try await fetch(on: loop, failing: 0, lasts: false).calls
        #expect(calls > 50)
        // The fast tier tries every fifth call.
        let step = isSlowTier ? 1 : 5
        for number in stride(from: 1 + Int64(testSeed % UInt64(step)), through: calls, by: step) {
            for lasts in [false, true] {
                let (result, _) = try await fetch(on: loop, failing: number, lasts: lasts)
                switch result {
                case .success(let body): #expect(body == "quack", "call \(number)")
                case .failure(let error as HTTPError):
                    #expect(error.code == .outOfResources, "call \(number): \(error)")
                case .failure(let error): Issue.record("call \(number): \(error)")
                }
            }
        }
    }

    /// Fetches with a new client while the n-th call fails, and then again without a failure.
    private func fetch(
        on loop: EventLoop, failing number: Int64, lasts: Bool
    ) async throws -> (result: Result<String, any Error>, calls: Int64) {
        let scene = try Scene(loop)
        await onThread(of: loop) { curl_faults_begin(number, lasts ? 1 : 0) }
        let result: Result<String, any Error>
        do { result = .success(try await scene.fetch()) } catch { result = .failure(error) }
        let calls = await onThread(of: loop) {
            defer { curl_faults_begin(0, 0) }
            return curl_faults_count()
        }
        #expect(await scene.client?.isIdle == true, "call \(number)")
        #expect(try await scene.fetch() == "quack", "call \(number)")
        scene.client = nil
        try await waitUntil("the connections are closed, call \(number)") { scene.server.openConnections == 0 }
        return (result, calls)
    }

    private func onThread<Value: Sendable>(of loop: EventLoop, _ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { caller in loop.perform { caller.resume(returning: body()) } }
    }
}
