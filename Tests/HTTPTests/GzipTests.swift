import HTTP
import TestSupport
import Testing

@Suite struct GzipTests {
    private static let joke = Array("Why did the duck cross the road?".utf8)
    private static let small = limits { $0.bodyBytes = 100_000 }

    private func answer(_ body: [UInt8], _ codings: String...) -> LoopbackAnswer {
        LoopbackAnswer(headers: codings.map { ("Content-Encoding", $0) }, body: body)
    }

    @Test("a gzip body that is not declared is unpacked, however its bytes arrive")
    func undeclared() async throws {
        let stage = try Stage()
        let long = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let file = Gzip.stored(long)
        stage.server.route("/whole", answer(file))
        stage.server.route("/byte", .chunked([Array(file[..<1]), Array(file[1...])], type: "text/xml"))
        stage.server.route("/bytes", .chunked(file[..<100].map { [$0] } + [Array(file[100...])], type: "text/xml"))
        stage.server.route("/close", .open(then: [.send(file)]))
        for path in ["/whole", "/byte", "/bytes", "/close"] {
            #expect(try await stage.client.fetch(stage.request(path)).body == long, "\(path)")
        }
    }

    @Test(
        "a body that does not start as a gzip file is taken as it is",
        arguments: [[], [0x8b], [0x20, 0x1f, 0x8b], [0x78, 0x9c, 1]] as [[UInt8]])
    func plain(_ body: [UInt8]) async throws {
        let stage = try Stage()
        stage.server.route("/", answer(body))
        stage.server.route("/bytes", .chunked(body.map { [$0] }, type: "text/xml"))
        #expect(try await stage.client.fetch(stage.request("/")).body == body)
        #expect(try await stage.client.fetch(stage.request("/bytes")).body == body)
    }

    @Test(
        "a gzip body is unpacked and text is taken as it is, whatever Content-Encoding says",
        arguments: [
            "gzip", "X-GZip", "gzip, gzip", "utf-8", "UTF-8", "identity", "none", "", " ", ",", "binary",
            "identity, utf-8",
            "\u{7f}",
        ])
    func anyCoding(_ value: String) async throws {
        let stage = try Stage()
        stage.server.route("/plain", answer(Self.joke, value))
        stage.server.route("/gzip", answer(Gzip.stored(Self.joke), value))
        stage.server.route("/two", answer(Gzip.stored(Self.joke), value, "gzip"))
        stage.server.route("/empty", answer([], value))
        for path in ["/plain", "/gzip", "/two"] {
            #expect(try await stage.client.fetch(stage.request(path)).body == Self.joke, "\(path)")
        }
        #expect(try await stage.client.fetch(stage.request("/empty")).body.isEmpty)
    }

    @Test("a gzip transfer coding is decoded, within the limit, or refused by a libcurl that did not request it")
    func transferCoding() async throws {
        let stage = try Stage()
        let coded = [(name: "Transfer-Encoding", value: "gzip")]
        let (bomb, zeros) = Gzip.zeros(90_000)
        stage.server.route("/fits", .chunked([bomb], type: "text/xml", headers: coded))
        stage.server.route("/over", .chunked([Gzip.zeros(200_000).file], type: "text/xml", headers: coded))
        do {
            #expect(try await stage.client.fetch(stage.request("/fits", limits: Self.small)).body == zeros)
            #expect(try await stage.failure(of: stage.request("/over", limits: Self.small)).code == .tooLarge)
        } catch let error as HTTPError {
            #expect("\(error)".contains("Unsolicited Transfer-Encoding"), "\(error)")
        }
    }

    @Test("a body in a coding that was not requested is refused", arguments: ["br", "zstd", "compress", "Deflate"])
    func refused(_ coding: String) async throws {
        let stage = try Stage()
        stage.server.route("/", answer(Self.joke, coding))
        stage.server.route("/empty", answer([], coding))
        let error = try await stage.failure(of: stage.request("/"))
        #expect(error.code == .protocolViolation && error.cause == "unexpected Content-Encoding")
        #expect(try await stage.client.fetch(stage.request("/empty")).body.isEmpty)
    }

    @Test("a gzip file of several parts is unpacked whole, and bytes after it are ignored")
    func parts() async throws {
        let stage = try Stage()
        let parts = Gzip.stored(Self.joke) + Gzip.stored([]) + Gzip.stored(Array(" Quack.".utf8))
        let padded = parts + [UInt8](repeating: 0, count: 10_000) + Gzip.stored(Self.joke)
        let whole = String(decoding: Self.joke, as: UTF8.self) + " Quack."
        stage.server.route("/", answer(padded))
        stage.server.route("/bytes", .chunked(padded.map { [$0] }, type: "text/xml"))
        for path in ["/", "/bytes"] { #expect(try await text(stage.client.fetch(stage.request(path))) == whole) }
    }

    @Test("a truncated gzip body is incomplete, declared or not")
    func truncated() async throws {
        let stage = try Stage()
        let file = Gzip.stored(Self.joke)
        for count in [2, 10, 20, file.count - 1] {
            for codings in [[], ["gzip"]] {
                let headers = codings.map { (name: "Content-Encoding", value: $0) }
                stage.server.route("/", LoopbackAnswer(headers: headers, body: Array(file[..<count])))
                let error = try await stage.failure(of: stage.request("/"))
                #expect(error.code == .connectionLost && error.cause == "the compressed response is incomplete")
            }
        }
        stage.server.route("/", answer([0x1f], "gzip"))
        #expect(try await stage.failure(of: stage.request("/")).code == .connectionLost)
    }

    @Test("a damaged gzip body is an error with the reason, declared or not")
    func damaged() async throws {
        let stage = try Stage()
        var file = Gzip.stored(Self.joke)
        file[30] ^= 1
        for (body, reason) in [(file, "incorrect data check"), ([0x1f, 0x8b, 7, 7], "unknown compression method")] {
            for codings in [[], ["gzip"]] {
                let headers = codings.map { (name: "Content-Encoding", value: $0) }
                stage.server.route("/", LoopbackAnswer(headers: headers, body: body))
                let error = try await stage.failure(of: stage.request("/"))
                #expect(error.code == .protocolViolation, "\(error)")
                #expect(error.cause == "the compressed response is damaged (\(reason))")
            }
        }
    }

    @Test("a gzip bomb is aborted when it reaches the limit, declared or not", arguments: [false, true])
    func bomb(isDeclared: Bool) async throws {
        let stage = try Stage()
        let headers = isDeclared ? [(name: "Content-Encoding", value: "gzip")] : []
        let steps = [LoopbackAnswer.Step.send(Gzip.bombStart), .repeatForever(Gzip.moreZeros)]
        stage.server.route("/", .open(headers: headers, then: steps))
        let error = try await stage.failure(of: stage.request("/", limits: Self.small))
        #expect(error.code == .tooLarge && error.cause == "the response is longer than 100000 bytes")
        try await stage.server.waitForAbandonedAnswers(1)
    }

    @Test("endless gzip data without content is aborted, too")
    func endlessNothing() async throws {
        let stage = try Stage()
        stage.server.route("/parts", .open(then: [.repeatForever(Gzip.stored([]))]))
        stage.server.route("/rest", .open(then: [.send(Gzip.stored(Self.joke)), .repeatForever([0])]))
        for path in ["/parts", "/rest"] {
            #expect(try await stage.failure(of: stage.request(path, limits: Self.small)).code == .tooLarge)
        }
        try await stage.server.waitForAbandonedAnswers(2)
    }

    @Test("an unpacked body may have the limit, but not one byte more")
    func boundary() async throws {
        let stage = try Stage()
        let (file, content) = Gzip.zeros(100_000)
        stage.server.route("/", .chunked([file], type: "text/xml"))
        let fits = limits { $0.bodyBytes = content.count }
        let over = limits { $0.bodyBytes = content.count - 1 }
        #expect(try await stage.client.fetch(stage.request("/", limits: fits)).body == content)
        #expect(try await stage.failure(of: stage.request("/", limits: over)).code == .tooLarge)
    }

    @Test("a few bytes that unpack to a long body wait while another one is in memory, and lose nothing")
    func waiting() async throws {
        let stage = try Stage()
        let (file, content) = Gzip.zeros(2_000_000)
        stage.server.route("/held", .open(then: [.send([UInt8](repeating: 32, count: 1_000_000))]))
        stage.server.route("/packed", answer(file))
        stage.server.route("/declared", answer(file, "gzip"))
        let held = try await stage.client.fetch(stage.request("/held"))
        let waiting = ["/packed", "/declared"].map { path in
            Task {
                let response = try await stage.client.fetch(stage.request(path))
                response.permission?.release()
                return response.body
            }
        }
        try await waitUntil("both wait") { await stage.client.pausedTransfers == 2 }
        held.permission?.release()
        for transfer in waiting { #expect(try await transfer.value == content) }
    }
}
