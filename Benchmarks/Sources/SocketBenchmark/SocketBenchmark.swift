import Glibc
import Measuring

/// Measures the socket of the daemon beside a bare echo server on the same kind of socket. See README.md.
@main
enum SocketBenchmark {
    static func main() async {
        let arguments = CommandLine.arguments
        // The yardstick is also this program, in a separate process like the daemon.
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

    /// Enough descriptors for two audiences. The daemon inherits the limit of this process.
    private static func allowManyDescriptors() {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = min(limit.rlim_max, 8_192)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
