import TestSupport
import Testing

/// The Python package `varlink`, an independent client.
@Suite(.enabled(if: VarlinkPython.path != nil, "\(VarlinkPython.skipReason)"))
struct PythonTests {
    private func run(_ service: EchoService, _ arguments: String...) throws -> ChildProcess.Result {
        let python = try #require(VarlinkPython.path)
        return try ChildProcess.run(python, ["-m", "varlink.cli"] + arguments)
    }

    @Test("the Python client reads the information and the interface of the service")
    func describes() throws {
        let service = try EchoService()
        let info = try run(service, "info", "unix:\(service.address)")
        for word in ["tests", "echo", "https://example.org/", "org.example.echo", "org.varlink.service"] {
            #expect(info.output.contains(word), "\(info.output)\(info.errors)")
        }
        for interface in ["org.example.echo", "org.varlink.service"] {
            let help = try run(service, "help", "unix:\(service.address)/\(interface)")
            #expect(help.output.contains("interface \(interface)"), "\(help.output)\(help.errors)")
        }
        #expect(info.ending == .exited(0))
    }

    @Test("the Python client calls methods and gets replies and errors")
    func calls() throws {
        let service = try EchoService()
        let echo = try run(service, "call", "unix:\(service.address)/org.example.echo.Echo", #"{"text":"hé🙂"}"#)
        // Python's form if it does not know the encoding of the terminal.
        let text = #"{"text":"h\u00e9\ud83d\ude42"}"#
        #expect(echo.output.filter { !$0.isWhitespace } == text, "\(echo.output)\(echo.errors)")
        let fail = try run(service, "call", "unix:\(service.address)/org.example.echo.Fail", #"{"text":"why"}"#)
        #expect(fail.errors.contains("org.example.echo.Failed"), "\(fail.output)\(fail.errors)")
        let wrong = try run(service, "call", "unix:\(service.address)/org.example.echo.Echo", #"{"text":"a","x":1}"#)
        #expect(wrong.errors.contains("InvalidParameter"), "\(wrong.output)\(wrong.errors)")
    }

    @Test("the Python client reads a stream")
    func streams() throws {
        let service = try EchoService()
        let count = try run(service, "call", "--more", "unix:\(service.address)/org.example.echo.Count", #"{"to":3}"#)
        let numbers = count.output.filter(\.isNumber)
        #expect(numbers == "123", "\(count.output)\(count.errors)")
        let one = try run(service, "call", "unix:\(service.address)/org.example.echo.Count", #"{"to":3}"#)
        #expect(one.errors.contains("ExpectedMore"), "\(one.output)\(one.errors)")
    }
}
