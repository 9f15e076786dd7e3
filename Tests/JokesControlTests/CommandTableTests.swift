import JokesProtocol
import Testing
import Unix

@testable import JokesControl

/// The table of commands, and what is made from it.
@Suite struct CommandTableTests {
    @Test("a help page fits into 80 columns", arguments: [nil] + Command.all.map(\.name))
    func columns(name: String?) throws {
        let page = try name.map { HelpPage.of(try Command.named($0)) } ?? HelpPage.general
        for line in page.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    }

    @Test("the help lists every command and every option, and says what each exit code means")
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
        for (status, _) in ExitStatus.meanings { #expect(general.contains { $0.hasPrefix("  \(status) ") }) }
    }

    @Test("no two commands have a name, and no two options of a command a name or a letter in common")
    func unique() {
        #expect(Set(Command.all.map(\.name)).count == Command.all.count)
        for command in Command.all {
            let options = (command.options + Command.globalOptions).map(\.specification)
            #expect(Set(options.map(\.name)).count == options.count, "\(command.name)")
            let letters = options.compactMap(\.letter)
            #expect(Set(letters).count == letters.count, "\(command.name)")
        }
    }

    @Test("a summary is a phrase, an option's a sentence")
    func style() {
        for command in Command.all {
            #expect(command.summary.first?.isUppercase == true && command.summary.last != ".", "\(command.name)")
            for option in command.options + Command.globalOptions {
                #expect(option.specification.summary.last == ".", "\(command.name) --\(option.name)")
            }
        }
    }

    @Test(
        "an option takes what it says and nothing else",
        arguments: [
            (OptionValue.oneOf(["json", "fortune"]), "json", nil),
            (.oneOf(["json", "fortune"]), "jsno", "The option --x takes json or fortune. Did you mean json?"),
            (.oneOf(["a", "b", "c"]), "\u{1B}", "The option --x takes a, b or c."),
            (.severalOf(["one", "two"], noun: "part"), "two,one", nil),
            (.severalOf(["one", "two"], noun: "part"), "two,", "There is no part : they are one and two."),
            (
                .severalOf(["three"], noun: "part"), "threee",
                "There is no part threee: they are three. Did you mean three?"
            ),
            (.number(1...9), "9", nil), (.number(1...9), "10", "The option --x needs a number from 1 to 9."),
            (.number(1...9), "", "The option --x needs a number from 1 to 9."),
            (.number(0...9), "1.0", "The option --x needs a number from 0 to 9."),
            (.known(.source), "nobody", nil), (.file, "a b", nil),
            (.file, "", "The option --x needs a X, and an empty word is none."), (.text, "anything", nil),
        ])
    func values(_ value: OptionValue, _ argument: String, _ sentence: String?) {
        let option = CommandOption("x", argument: "X", value, "A test's.")
        #expect(refusal { try option.check(argument) } == sentence)
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
        "operands that are too few or too many are refused with the next step",
        arguments: [
            ("show", [], "The command show needs an ID.", "jokesctl list shows the ids of jokes."),
            ("show", ["a", "b"], "The command show does not take b.", "jokesctl help show says what it takes."),
            (
                "unfavorite", [], "The command unfavorite needs at least one ID.",
                "jokesctl favorites shows the ids of favorites."
            ),
            ("search", [], "The command search needs words to search for.", "jokesctl help search says what it takes."),
            ("status", ["now"], "The command status does not take now.", "jokesctl help status says what it takes."),
            (
                "help", ["serach"], "There is no command serach. Did you mean search?",
                "jokesctl help lists the commands."
            ),
        ])
    func operands(_ name: String, _ words: [String], _ sentence: String, _ hint: String) throws {
        let command = try Command.named(name)
        #expect(throws: ControlFailure.usage(sentence, hint: hint)) {
            try command.operands.check(words, of: command)
        }
    }
}
