import TestSupport
import Testing
import Varlink

@Suite struct ServiceTests {
    @Test("a call is answered")
    func answer() throws {
        let service = try EchoService()
        let client = try VarlinkClient(connectingTo: service.address)
        let reply: EchoService.Text = try client.call("org.example.echo.Echo", EchoService.Text(text: "hello"))
        #expect(reply.text == "hello")
    }
}
