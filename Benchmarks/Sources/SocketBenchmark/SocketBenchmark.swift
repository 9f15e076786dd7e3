import Glibc
import Measuring

/// What the daemon's socket does for programs, beside a bare echo server on the same kind of socket. See README.md.
@main
enum SocketBenchmark {
    static func main() async {
        let arguments = CommandLine.arguments
        // The yardstick is this program too, in a process of its own as the daemon is.
        if arguments.count == 3, arguments[1] == EchoServer.option {
            EchoServer(at: arguments[2]).run()
        }
        allowManyDescriptors()
        await BenchmarkProgram.run(
            "SocketBenchmark",
            [
                CallPart.self, RatePart.self, ChangePart.self, RefreshPart.self, StoppedPart.self, BytesPart.self,
                IdlePart.self,
            ])
    }

    /// Two audiences, and the daemon has what this process has.
    private static func allowManyDescriptors() {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = min(limit.rlim_max, 8_192)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
