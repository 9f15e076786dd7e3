import FoundationEssentials
import Glibc
import Unix

/// What the store does for people, with as many jokes in it as it is made for. See README.md.
@main
enum StoreBenchmark {
    /// All there is, in the order in which they run.
    static var parts: [any Part.Type] {
        [SearchPart.self, StartPart.self, StarPart.self, MemoryPart.self, PicturePart.self]
    }

    static func main() async {
        do {
            try await measure(Options(CommandLine.arguments.dropFirst()))
        } catch let mistake as Options.Mistake {
            complain("\(mistake.description)\n\(Options.usage)")
            exit(64)
        } catch {
            complain("\(error)")
            exit(1)
        }
    }

    private static func measure(_ options: Options) async throws {
        if options.help { return print(Options.usage) }
        let folder = "\(options.folder)/jokesd-store-\(getpid())"
        try makeFolder(folder, mode: 0o700)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let report = Report(json: options.json)
        report.begin()
        let cache = try await Cache(folder: folder, jokes: options.jokes)
        for part in parts where options.only.isEmpty || options.only.contains(part.name) {
            for figure in try await part.measure(cache) { report.show(figure) }
        }
    }

    private static func complain(_ message: String) {
        let line = "StoreBenchmark: \(message)\n"
        _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
    }
}
