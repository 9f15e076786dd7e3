import FoundationEssentials
import Glibc
import Unix

/// A benchmark as a program: its command line, the folder that it works in, and how it ends.
package struct BenchmarkProgram {
    private let name: String
    private let parts: [(name: String, summary: String)]

    /// - Parameters:
    ///   - name: As the program is called.
    ///   - parts: What `--only` chooses from, with a line on each.
    package init(_ name: String, parts: [(name: String, summary: String)] = []) {
        self.name = name
        self.parts = parts
    }

    /// Reads the command line, makes a folder of its own for the body, and removes it again.
    ///
    /// Ends the program where that fails, with what was wrong on standard error.
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

              --jokes N      so many jokes; 100000 without it
              --folder PATH  where files and databases are made, and removed again; /var/tmp without it. A folder in memory
                             measures another thing than a disk
              --json         one JSON object a line instead of the table
            """
        if parts.isEmpty { return lines }
        let names = parts.map { "  \($0.name): \($0.summary)" }.joined(separator: "\n")
        return "\(lines)\n  --only PART,…  only these parts\n\nParts:\n\n\(names)"
    }

    private func complain(_ message: String) {
        let line = "\(name): \(message)\n"
        _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
    }
}
