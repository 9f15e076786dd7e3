import Glibc
import JokesCore
import JokesExchange
import TextLayout
import Unix

/// The output of an export: standard output, or a file that replaces the old one when it is complete. A fortune file
/// also has an index.
final class ExportOutput {
    private let file: FileReplacement?
    private let buffer = OutputBuffer(to: standardOutput)
    private let isOnTerminal = isTerminal(standardOutput)
    private var index: FortuneIndex?

    private static let alternative = "Leave out '--output' to write to standard output."

    /// Creates a temporary file; standard output if the name is nil or `-`.
    ///
    /// - Throws: `ControlFailure` if the file cannot be created.
    init(to name: String?, hasIndex: Bool) throws {
        let path = name == "-" ? nil : name
        if let path, isSpecialFile(path) {
            throw ControlFailure(
                message: "cannot write '\(path)': not a regular file", hint: Self.alternative, status: .refused)
        }
        file = try path.map { path in
            try Self.failing(at: path) { try FileReplacement(rewriting: path) }
        }
        if hasIndex && path != nil { index = FortuneIndex() }
    }

    func write(_ text: String) throws {
        guard let file else { return try buffer.append(isOnTerminal ? sanitizedLines(text) : text) }
        try Self.failing { try file.write(text.utf8) }
    }

    /// Writes a record; an empty text is no record.
    func writeRecord(_ text: String) throws {
        if text.isEmpty { return }
        try write(text)
        if index?.add(text) == false {
            throw ControlFailure(message: "the export is too large for a fortune file", status: .refused)
        }
    }

    /// Moves the files to their names.
    func finish() throws {
        try buffer.flush()
        guard let file else { return }
        // A signal could leave a text without an index.
        try blockingSignals([SIGHUP, SIGINT, SIGQUIT, SIGTERM]) {
            try Self.failing { try replace(file, indexPath: "\(file.path).dat") }
        }
        if isTerminal(standardError) {
            try writeFully("jokesctl: exported to \(sanitizedLines(file.path))\n", to: standardError)
        }
    }

    private func replace(_ file: FileReplacement, indexPath: String) throws {
        let indexFile = try index.map { index in
            let indexFile = try FileReplacement(rewriting: indexPath)
            try indexFile.write(index.bytes)
            return indexFile
        }
        // With the old index, fortune would read the new text wrongly; without an index, it rejects the file. So the
        // old index is removed first.
        if let indexFile { try removeFile(indexFile.path) }
        try file.commit()
        try indexFile?.commit()
    }

    /// Turns write errors into messages. If the body creates a file at the path, its folder may be missing.
    private static func failing<Result>(at path: String? = nil, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as SystemError {
            let hint = path.map { path in
                let folder = parentFolder(of: path)
                return error.code == ENOENT && !exists(folder) ? "Try: mkdir -p \(shellWord(folder))" : alternative
            }
            throw ControlFailure(message: clause(of: "\(error)"), hint: hint, status: .refused)
        }
    }
}
