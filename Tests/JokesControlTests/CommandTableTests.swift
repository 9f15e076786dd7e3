import CommandLineTools
import JokesProtocol
import Testing
import Unix

@testable import JokesControl

/// The table of commands, and the help that is made from it.
@Suite struct CommandTableTests {
    private static let everyCommand = Command.all + Command.all.flatMap(\.subcommands)

    @Test("a help page fits into 80 columns", arguments: [nil, "formats"] + everyCommand.map(\.name))
    func columns(name: String?) throws {
        let page = try name.map { try HelpPage.named($0) } ?? HelpPage.general
        for line in page.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    }

    @Test("the help lists every command and option, and the page on formats lists every exit code")
    func complete() {
        let general = HelpPage.general.split(separator: "\n")
        for command in Command.all {
            #expect(
                general.contains { $0.hasPrefix("  \(command.name) ") } == (command.group != .hidden), "\(command.name)"
            )
            let page = HelpPage.of(command)
            #expect(page.hasPrefix("Usage: jokesctl \(command.name)"))
            for option in command.options { #expect(page.contains("--\(option.name)"), "\(command.name)") }
        }
        for option in Command.globalOptions { #expect(general.contains { $0.contains(" --\(option.name)") }) }
        let formats = HelpPage.formats.split(separator: "\n")
        for status in ExitStatus.allCases { #expect(formats.contains { $0.hasPrefix("  \(status.rawValue) ") }) }
    }

    @Test("the help of a command has two examples and refers to the page on formats")
    func examples() {
        for command in Self.everyCommand where command.group != .hidden {
            #expect(command.examples.count == 2, "\(command.name)")
            #expect(command.examples.allSatisfy { $0.contains("jokesctl \(command.name)") }, "\(command.name)")
            let page = HelpPage.of(command).split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(page.contains("See 'jokesctl help formats'"), "\(command.name)")
        }
    }

    @Test("the help of a command with subcommands lists them, and each has a page of its own")
    func subcommands() throws {
        for command in Command.all {
            for subcommand in command.subcommands {
                #expect(subcommand.name.hasPrefix("\(command.name) ") && subcommand.subcommands.isEmpty)
                #expect(HelpPage.of(command).contains("\n  \(subcommand.name)"), "\(subcommand.name)")
                #expect(try HelpPage.named(subcommand.name).hasPrefix("Usage: jokesctl \(subcommand.name)"))
                #expect(HelpPage.names.contains(subcommand.name))
            }
        }
    }

    @Test("command names are unique, and so are the names and letters of the options of a command")
    func unique() {
        let names = Self.everyCommand.flatMap { [$0.name] + $0.aliases } + HelpPage.topics
        #expect(Set(names).count == names.count)
        for command in Self.everyCommand {
            let options = command.options + Command.globalOptions
            #expect(Set(options.map(\.name)).count == options.count, "\(command.name)")
            let letters = options.compactMap(\.letter)
            #expect(Set(letters).count == letters.count, "\(command.name)")
        }
    }

    @Test("the summary of a command is a phrase, and the summary of an option is a sentence")
    func style() {
        for command in Self.everyCommand {
            #expect(command.summary.first?.isUppercase == true && command.summary.last != ".", "\(command.name)")
            for option in command.options + Command.globalOptions {
                #expect(option.summary.last == ".", "\(command.name) --\(option.name)")
            }
        }
    }

    @Test(
        "an option accepts only the values that it documents",
        arguments: [
            (OptionValue.oneOf(["json", "fortune"]), "json", nil),
            (
                .oneOf(["json", "fortune"]), "jsno",
                "option '--x' takes json or fortune, not 'jsno'\nDid you mean 'json'?"
            ),
            (.oneOf(["a", "b", "c"]), "\u{1B}", "option '--x' takes a, b or c, not '\u{1B}'"),
            (.severalOf(["one", "two"], noun: "part"), "two,one", nil),
            (.severalOf(["one", "two"], noun: "part"), "two,", "unknown part '': use one or two"),
            (
                .severalOf(["three"], noun: "part"), "threee",
                "unknown part 'threee': use three\nDid you mean 'three'?"
            ),
            (.number(1...9), "9", nil),
            (.number(1...9), "10", "option '--x' needs a whole number from 1 to 9, not '10'"),
            (.number(1...9), "", "option '--x' needs a whole number from 1 to 9, not ''"),
            (.number(0...9), "1.0", "option '--x' needs a whole number from 0 to 9, not '1.0'"),
            (.known(.source), "nobody", nil), (.file, "a b", nil),
            (.file, "", "option '--x' needs a value that is not empty"), (.text, "anything", nil),
            (.names(.category), "one,two\\, three", nil),
            (.names(.category), "one,", "option '--x' needs a value that is not empty"),
        ])
    func values(_ value: OptionValue, _ argument: String, _ message: String?) {
        let option = CommandOption("x", argument: "X", value, "For tests.")
        #expect(refusal { _ = try CommandLineOptions(["--x=\(argument)"], accepting: [option]) } == message)
    }

    private func refusal(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test(
        "a wrong number of operands is refused with a hint",
        arguments: [
            ("show", [], "command 'show' needs an ID", "Try: jokesctl list"),
            ("show", ["a", "b"], "unexpected argument 'b'", "Try: jokesctl help show"),
            ("show", [""], "empty argument for command 'show'", "Try: jokesctl list"),
            ("unhide", [], "command 'unhide' needs at least one ID", "Try: jokesctl hidden"),
            ("unfavorite", [], "command 'unfavorite' needs at least one ID", "Try: jokesctl favorites"),
            ("search", [], "command 'search' needs words to search for", "Try: jokesctl help search"),
            ("status", ["now"], "unexpected argument 'now'", "Try: jokesctl help status"),
            ("help", ["serach"], "unknown command 'serach'", "Did you mean 'search'?"),
            ("help", ["source", "ad"], "unknown command 'source ad'", "Did you mean 'source add'?"),
            ("source", [], "command 'source' needs a subcommand, such as add", "Try: jokesctl help source"),
            ("help", ["xyzzy"], "unknown command 'xyzzy'", "Try: jokesctl help"),
            ("completions", ["csh"], "unknown shell 'csh': use bash, zsh or fish", "Did you mean 'zsh'?"),
        ])
    func operands(_ name: String, _ words: [String], _ message: String, _ hint: String) throws {
        let command = try Command.named(name)
        let error = #expect(throws: UsageError.self) { try command.operands.check(words, of: name) }
        #expect(error?.message == message && error?.suggestion ?? command.hint == hint)
    }
}
