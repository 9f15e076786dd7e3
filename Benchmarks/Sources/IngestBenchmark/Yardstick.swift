import Glibc

/// Python's sqlite3, which inserts the same rows into one full-text table.
enum Yardstick {
    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Runs Python on the file. Only the insertion is timed.
    static func measure(file: String, folder: String) throws -> Figure {
        // The paths are arguments, so that none of them is read as Python code.
        guard let output = popen("python3 -c '\(program)' '\(file)' '\(folder)/yardstick.sqlite'", "r") else {
            throw Failure(description: "cannot run python3")
        }
        defer { pclose(output) }
        var line = [CChar](repeating: 0, count: 256)
        let fields = fgets(&line, 256, output).map { String(cString: $0).split { $0.isWhitespace } } ?? []
        guard fields.count == 3, let jokes = Int(fields[0]), let seconds = Double(fields[1]),
            let processor = Double(fields[2])
        else {
            throw Failure(description: "python3 did not insert the rows")
        }
        return Figure(stage: "Python, FTS only", jokes: jokes, seconds: seconds, processorSeconds: processor)
    }

    /// The program must not contain quotes of the shell.
    private static let program = """
        import sqlite3, sys, time
        rows = [(text,) for text in open(sys.argv[1]).read().split("\\n%\\n") if text]
        connection = sqlite3.connect(sys.argv[2])
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        start, processor = time.perf_counter(), time.process_time()
        connection.execute("CREATE VIRTUAL TABLE jokes USING fts5(text)")
        connection.executemany("INSERT INTO jokes VALUES (?)", rows)
        connection.commit()
        print(len(rows), time.perf_counter() - start, time.process_time() - processor)
        """
}
