import Glibc
import TestSupport
import Testing
import Unix
import Varlink

/// Addresses of services in the notation of varlink.org.
@Suite struct AddressTests {
    @Test(
        "an address has a path and a mode",
        arguments: [
            ("unix:/run/a.sock", "/run/a.sock", nil),
            ("unix:/run/a.sock;mode=0660", "/run/a.sock", 0o660),
            ("unix:/run/a.sock;mode=600", "/run/a.sock", 0o600),
            ("unix:@a", "@a", nil),
            ("unix:a:b", "a:b", nil),
            ("unix:\u{6E3}a", "\u{6E3}a", nil),
            ("/run/a;mode=0660", "/run/a;mode=0660", nil),
            ("unix:/run/a%3Bmode=0660", "/run/a;mode=0660", nil),
            ("unix:/run/%c3%A9%25;mode=0660", "/run/é%", 0o660),
            ("/run/a%3Bb", "/run/a%3Bb", nil),
            ("/run/a:b", "/run/a:b", nil),
            ("@a:b", "@a:b", nil),
            ("./unix:a", "./unix:a", nil),
            ("a", "a", nil),
        ] as [(String, String, UInt32?)])
    func reads(_ text: String, _ path: String, _ mode: UInt32?) throws {
        let address = try VarlinkAddress(text)
        #expect(address.path == path && address.mode == mode)
        #expect(try VarlinkAddress(address.description) == address)
    }

    @Test(
        "an invalid address is refused with the reason",
        arguments: [
            ("", "the socket name is missing"),
            ("@", "the socket name is missing"),
            ("unix:", "the socket name is missing"),
            ("unix:;mode=0600", "the socket name is missing"),
            ("unix:@", "the socket name is missing"),
            ("unix:/a\0b", "it contains a NUL byte"),
            ("unix:/a%00b", "it contains a NUL byte"),
            ("unix:/a%", "'%' must begin an escape of UTF-8 text, such as %25 for '%'"),
            ("unix:/a%+1", "'%' must begin an escape of UTF-8 text, such as %25 for '%'"),
            ("unix:/a%FF", "'%' must begin an escape of UTF-8 text, such as %25 for '%'"),
            ("tcp:127.0.0.1:1234", "scheme 'tcp' is not supported, use unix:PATH"),
            ("exec:/bin/true", "scheme 'exec' is not supported, use unix:PATH"),
            ("Unix:/a", "scheme 'Unix' is not supported, use unix:PATH"),
            ("unix:/a;mode=0888", "mode must have 3 or 4 octal digits, up to 0777"),
            ("unix:/a;mode=", "mode must have 3 or 4 octal digits, up to 0777"),
            ("unix:/a;mode=+77", "mode must have 3 or 4 octal digits, up to 0777"),
            ("unix:/a;mode=1777", "mode must have 3 or 4 octal digits, up to 0777"),
            ("unix:/a;mode=0600;mode=0600", "mode is given twice"),
            ("unix:/a;user=root", "unknown property 'user=root', only mode=MODE is supported"),
            ("unix:/a;", "unknown property '', only mode=MODE is supported"),
            ("unix:@a;mode=0600", "an abstract socket has no mode"),
            ("unix:/" + String(repeating: "a", count: 107), "longer than 107 bytes"),
        ])
    func refuses(_ text: String, _ reason: String) {
        let error = #expect(throws: VarlinkError.self) { try VarlinkAddress(text) }
        #expect(error?.description == "invalid address '\(text)': \(reason)")
    }

    @Test("a path and an abstract name of 107 bytes are within the limits of the kernel")
    func longest() throws {
        #expect(try VarlinkAddress("/" + String(repeating: "a", count: 106)).path.utf8.count == 107)
        #expect(try VarlinkAddress("@" + String(repeating: "a", count: 107)).path.utf8.count == 108)
    }

    @Test("a service listens at the path and with the mode of its address, and clients connect there")
    func listens() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("socket")
        for address in ["unix:\(path);mode=0640", "unix:@\(path)", "@\(path)", path] {
            let service = try EchoService(listeningAt: address)
            if !address.contains("@") {
                var status = stat()
                #expect(stat(path, &status) == 0)
                #expect(status.st_mode & 0o777 == (address.hasSuffix("0640") ? 0o640 : 0o600))
            }
            let client = try VarlinkClient(connectingTo: address)
            let reply: EchoService.Text = try client.call("org.example.echo.Echo", EchoService.Text(text: "here"))
            #expect(reply.text == "here")
            try service.stop()
            // Nothing stays that another program would take for a service.
            #expect(try namesInFolder(folder.path).isEmpty)
        }
    }
}
