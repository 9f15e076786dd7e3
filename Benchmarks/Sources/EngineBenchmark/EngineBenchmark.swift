import Glibc

/// Measures the diffable engine beside the standard library and the limits of the machine. See README.md.
@main
enum EngineBenchmark {
    static func main() {
        do {
            let options = try Options(CommandLine.arguments.dropFirst())
            if options.help { print(Options.usage) } else { try measure(options) }
        } catch let mistake as Options.Mistake {
            complain("\(mistake); try --help")
            exit(64)
        } catch {
            complain("\(error)")
            exit(1)
        }
    }

    private static func measure(_ options: Options) throws {
        let report = Report(json: options.json)
        let machine = Machine.line(ids: options.kinds)
        if options.json { complain(machine) } else { print(machine) }
        show(report.heading)
        let effort = Effort(runs: options.runs)
        for name in options.names {
            for kind in options.kinds {
                // A small run comes first: the figures must not include the one-time allocations of the Swift runtime
                // for a type.
                for small in try Catalogue.contenders(for: name, kind: kind, divisor: 100) { _ = try small.rehearse() }
                show(report.lines(of: try effort.measure(Catalogue.contenders(for: name, kind: kind, divisor: 1))))
            }
        }
    }

    /// Prints lines at once, even into a pipe.
    private static func show(_ lines: [String]) {
        for line in lines { print(line) }
        fflush(nil)
    }

    private static func complain(_ message: String) {
        let line = "EngineBenchmark: \(message)\n"
        _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
    }
}
