import Testing
import Unix

@testable import JokesControl

/// What the completion scripts hold; that shells understand it is for others to test.
@Suite struct CompletionScriptTests {
    @Test(
        "a script knows every command and every option, and not the command that only scripts call",
        arguments: [BashCompletion.script, ZshCompletion.script, FishCompletion.script])
    func complete(script: String) {
        let words = Set(script.split { !($0.isLetter || $0 == "-") })
        for command in Command.all where command.group != .hidden {
            #expect(words.contains { $0 == command.name }, "\(command.name)")
            for option in command.options + Command.globalOptions {
                // fish names them behind its -l.
                #expect(words.contains { $0 == "--\(option.name)" || $0 == option.name }, "\(option.name)")
            }
        }
        #expect(!script.contains("complete)") && !script.contains("'complete:") && !script.contains("-a complete "))
    }

    @Test(
        "only words that no shell reads anything into are offered",
        arguments: [
            ("dad:5h399pWLmyd", true), ("starter:~0123abcd", true), ("jokeapi:en:8", true), ("pt-br", true),
            ("größe", true),
            ("a/b", true), ("a=b", true), ("-n", false), ("~a", false), ("=a", false), ("", false), ("a b", false),
            ("$a", false), ("a$b", false), ("a`b", false), ("a\\b", false), ("a'b", false), ("a\"b", false),
            ("a!b", false),
            ("a#b", false), ("a*b", false), ("a?b", false), ("a[b", false), ("a{b", false), ("a(b", false),
            ("a<b", false),
            ("a&b", false), ("a;b", false), ("a|b", false), ("a^b", false), ("a\tb", false), ("a\u{1B}b", false),
            ("a\u{202E}b", false), ("a\u{200B}b", false),
        ])
    func plain(word: String, isPlain: Bool) {
        #expect(word.isPlainWord == isPlain)
    }

    @Test("text in single quotes is read back by the shell as it was")
    func quoting() {
        #expect("it's".quotedForShell == #"'it'\''s'"#)
        #expect("'".quotedForShell == #"''\'''"#)
        #expect("".quotedForShell == "''")
    }
}
