import CommandLineTools
import Testing
import Unix

@testable import JokesControl

/// The words that `jokesctl complete` offers. `CompletionTests` completes them in the shells.
@Suite struct CompletedWordTests {
    private func words(_ line: String...) -> [String] {
        Completion(after: line.dropLast(), socket: "/nowhere").lines(completing: line.last ?? "")
            .map { String($0.split(separator: "\t")[0]) }
    }

    @Test("every listed command and every option is offered, but not the command that only scripts call")
    func complete() {
        #expect(words("") == Command.listed.map(\.name))
        #expect(words("comple") == ["completions"])
        for command in Command.listed where command.subcommands.isEmpty {
            let spellings = (command.options + Command.globalOptions).flatMap(\.spellings)
            #expect(words(command.name, "-") == spellings, "\(command.name)")
        }
    }

    @Test(
        "the position in the command line decides which words are offered",
        arguments: [
            (["--color", "never", "sh"], ["show"]), (["--color=never", "sh"], ["show"]), (["--color", ""], colors),
            (["--color=a"], ["--color=auto", "--color=always"]), (["--colour=a"], []), (["--json", "--js"], []),
            (["list", "--li"], ["--limit"]), (["list", "-n", ""], []), (["list", "-n", "1", "--li"], []),
            (["favorite", "--note=", "--", "-"], []), (["--socket=", "sh"], ["show"]), (["list", "--", "-"], []),
            (["--", "-"], []), (["malformed", ""], []),
            (["malformed", "--ver"], ["--version"]),
            (["status", ""], []), (["completions", "z"], ["zsh"]), (["completions", "zsh", ""], []),
            (["help", "form"], ["formats"]), (["help", "unf"], ["unfavorite"]), (["import", ""], [":files"]),
            (["export", "-o", "a"], [":files"]), (["export", "--output=a"], [":files"]),
            (["watch", "--section", "favoriteJokes,jo"], ["favoriteJokes,jokes"]),
            (["watch", "--section=jokes,"], ["--section=jokes,favoriteJokes", "--section=jokes,searchResults"]),
            (["random", "--format", "w"], ["waybar"]), (["list", "--format", ""], []), (["search", "a"], []),
            (["show", ""], []), (["list", "--source", ""], []),
            (["ls", "--li"], ["--limit"]), (["fav", "--no"], ["--note", "--no-pager"]), (["s", "--un"], ["--unseen"]),
            (["list", "--f"], ["--favorites", "--format", "--full-ids"]), (["sta"], ["stats", "status"]),
            (["hid"], ["hide", "hidden"]), (["-"], Command.globalOptions.flatMap(\.spellings)),
            (["source", "e"], ["enable"]), (["source", "add", "den"], ["deno-jokes"]),
            (["source", "add", "--sa"], ["--safety"]),
            (["source", "remove", "--y"], ["--yes"]), (["source", "nothing", ""], []),
            (["source", "add", "x", ""], []),
        ])
    func positions(line: [String], offered: [String]) {
        let lines = Completion(after: line.dropLast(), socket: "/nowhere").lines(completing: line.last ?? "")
        #expect(lines.map { String($0.split(separator: "\t")[0]) } == offered)
    }

    private static let colors = ["auto", "always", "never"]

    @Test(
        "a word is plain if no shell interprets a character of it",
        arguments: [
            ("dad:5h399pWLmyd", true), ("starter:~0123abcd", true), ("jokeapi:en:8", true), ("pt-br", true),
            ("größe", true), ("a/b", true), ("a=b", true), ("-n", false), ("~a", false), ("=a", false), ("", false),
            ("a b", false),
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
}
