import TestSupport
import Testing

@Suite struct ConfiguredProxyTests {
    private func proxied(_ sources: String, _ proxy: String) -> String {
        #"{"sources": [\#(sources)], "network": {"proxy": "\#(proxy)"}}"#
    }

    @Test("sources are requested through the configured proxy, also if its URL is in a file")
    func proxy() async throws {
        for isKept in [false, true] {
            let proxy = try LoopbackServer()
            proxy.routeEverythingElse { _ in .json(#"[{"type":"x","setup":"By proxy?","punchline":"Yes."}]"#) }
            let folder = try TemporaryFolder()
            let file = try folder.write(proxy.url + "\n", to: "proxy")
            let source = officialSource("http://jokes.test")
            let daemon = try DaemonUnderTest(configuration: proxied(source, isKept ? "@file:\(file)" : proxy.url))
            try await daemon.waitForSyncs()
            let health = try #require(try daemon.configuredSources().first)
            #expect(health.jokes.cached == 1 && health.failure == nil)
            #expect(proxy.requests.allSatisfy { $0.target.hasPrefix("http://jokes.test/jokes/") })
        }
    }

    @Test("a CA file of the configuration or of SSL_CERT_FILE is read, and an error names it")
    func authorities() async throws {
        let folder = try TemporaryFolder()
        let missing = folder.path("none.pem")
        let server = try LoopbackServer()
        let source = officialSource("https://127.0.0.1:\(server.port)")
        for isConfigured in [false, true] {
            let network = isConfigured ? #", "network": {"caFile": "\#(missing)"}"# : ""
            let config = try folder.write(#"{"sources": [\#(source)]\#(network)}"#, to: "config.json")
            let result = try ChildProcess.run(
                builtProgram("jokesd"), ["--config", config, "--state-dir", folder.path("state"), "--once"],
                environment: isConfigured ? [:] : ["SSL_CERT_FILE": missing])
            #expect((result.output + result.errors).contains(missing), "\(result)")
        }
    }

    @Test("a missing proxy file fails the sources on the network, with the file's name, and no other source")
    func missing() async throws {
        let folder = try TemporaryFolder()
        let fortunes = try folder.write("No network needed.\n%\n", to: "f")
        let sources = officialSource("http://jokes.test") + "," + fortuneSource(fortunes)
        let daemon = try DaemonUnderTest(configuration: proxied(sources, "@file:\(folder.path("none"))"))
        try await daemon.waitForSyncs()
        let health = try daemon.configuredSources()
        #expect(health[0].failure?.contains(folder.path("none")) == true)
        #expect(health[1].failure == nil && health[1].jokes.cached == 1)
    }
}
