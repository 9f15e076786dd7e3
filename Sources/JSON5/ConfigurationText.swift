import Unix

extension LocatedJSON {
    /// The largest configuration file that is read, in bytes.
    private static let largestFile = 1_000_000

    /// The bytes of a configuration file.
    ///
    /// - Throws: `ConfigurationError.unreadable`.
    package static func bytes(ofFile path: String) throws(ConfigurationError) -> [UInt8] {
        do throws(SystemError) {
            if isNamedPipe(path) { throw SystemError("read", path, code: SystemError.notRegularFile) }
            return try contentsOfFile(path, limit: largestFile)
        } catch {
            throw .unreadable(error)
        }
    }

    /// Reads the bytes of a configuration file, which is called `file` in complaints. O(n).
    ///
    /// - Throws: `ConfigurationError.invalid` with the one problem that keeps it from being JSON5 in UTF-8.
    package init(_ bytes: [UInt8], file: String) throws(ConfigurationError) {
        func failure(_ line: Int, _ message: String) -> ConfigurationError {
            .mistakes([ConfigurationError.Problem(line: line, keyPath: "", message: message)], in: file)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw failure(Self.lineThatIsNotUTF8(bytes), "the file is not UTF-8 text")
        }
        do throws(JSON5Reader.SyntaxError) {
            self = try JSON5Reader.read(text)
        } catch {
            throw failure(error.line, error.message)
        }
    }

    private static func lineThatIsNotUTF8(_ bytes: [UInt8]) -> Int {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        // A line feed is a single byte in UTF-8, so the text is split exactly at its lines.
        return 1 + (lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0)
    }
}
