import Glibc
import TestSupport
import Testing
import Unix

@testable import JokesDaemon

@Suite struct LogTests {
    private func lines(prefixes: Bool, level: LogLevel = .info, _ body: (Log) -> Void) throws -> [String] {
        let lines = try Mailbox<String>()
        body(Log(level: level, addsPrefixes: prefixes) { lines.put($0) })
        return lines.takeAll()
    }

    @Test(
        "lines begin with a priority in the journal and with the program's name elsewhere; lower levels are dropped")
    func styles() throws {
        func writeAll(_ log: Log) {
            log.debug("d")
            log.info("i")
            log.warning("w")
            log.error("e")
        }
        #expect(try lines(prefixes: true, level: .debug, writeAll) == ["<7>d\n", "<6>i\n", "<4>w\n", "<3>e\n"])
        #expect(try lines(prefixes: false, level: .warning, writeAll) == ["jokesd: w\n", "jokesd: e\n"])
    }

    @Test("outside text has no effect on a terminal, and each of its lines gets the prefix")
    func controls() throws {
        let text = "a\nb\u{1B}[31m\u{85}\u{202E}\u{7F}\r\u{2028}é🙂"
        #expect(try lines(prefixes: true) { $0.info(text) } == ["<6>a\n", "<6>b\u{FFFD}[31m \u{FFFD}  é🙂\n"])
    }

    @Test("only a descriptor of the journal counts as the journal")
    func journalStream() throws {
        let folder = try TemporaryFolder()
        let journal = Descriptor(owning: open(try folder.write("", to: "journal"), O_WRONLY))
        var status = stat()
        #expect(fstat(journal.rawValue, &status) == 0)
        let name = "\(status.st_dev):\(status.st_ino)"
        #expect(isReadByJournal(journal.rawValue, stream: name))
        #expect(!isReadByJournal(journal.rawValue, stream: nil))
        // The variable is inherited, but standard error was redirected.
        let other = Descriptor(owning: open(try folder.write("", to: "other"), O_WRONLY))
        #expect(!isReadByJournal(other.rawValue, stream: name))
    }
}
