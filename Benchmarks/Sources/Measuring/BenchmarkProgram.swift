import FoundationEssentials
import Glibc
import Unix

/// A benchmark program: its command line, its working folder and its exit code.
package struct BenchmarkProgram {
    private let name: String
    private let parts: [(name: String, summary: String)]

    /// - Parameters:
    ///   - name: The name of the program.
    ///   - parts: The parts that `--only` selects from, with a description of one line each.
    package init(_ name: String, parts: [(name: String, summary: String)] = []) {
        self.name = name
        self.parts = parts
    }

    /// Reads the command line, and runs the body with a temporary folder.
    ///
    /// If this fails, the program prints the error to standard error and exits.
    package func run(_ body: (BenchmarkOptions, _ folder: String) async throws -> Void) async {
        do {
            let options = try BenchmarkOptions(CommandLine.arguments.dropFirst(), parts: parts.map(\.name))
            if options.help { return print(usage) }
            let folder = "\(options.folder)/jokesd-\(name)-\(getpid())"
            try makeFolder(folder, mode: 0o700)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try await body(options, folder)
        } catch let mistake as BenchmarkOptions.Mistake {
            complain("\(mistake.description)\n\(usage)")
            exit(64)
        } catch {
            complain("\(error)")
            exit(1)
        }
    }

    private var usage: String {
        let only = parts.isEmpty ? "" : "[--only PART,…] "
        let lines = """
            usage: \(name) \(only)[--jokes N] [--folder PATH] [--json] [--help]

              --jokes N      number of jokes (default: 100000)
              --folder PATH  folder for temporary files and databases, on the disk to measure (default: /var/tmp)
              --json         print one JSON object per line instead of a table
            """
        if parts.isEmpty { return lines }
        let names = parts.map { "  \($0.name): \($0.summary)" }.joined(separator: "\n")
        return "\(lines)\n  --only PART,…  run only these parts\n\nParts:\n\n\(names)"
    }

    private func complain(_ message: String) {
        let line = "\(name): \(message)\n"
        _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
    }
}
