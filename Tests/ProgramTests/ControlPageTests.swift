import TestSupport
import Testing

/// jokesctl(1) says what `jokesctl help` says, which is made from the table of the commands.
@Suite struct ControlPageTests {
    private let page: ManPage

    init() throws {
        page = try ManPage("jokesctl.1")
    }

    private func help(_ command: String...) throws -> String {
        let result = try ChildProcess.run(builtProgram("jokesctl"), ["help"] + command)
        #expect(result.ending == .exited(0) && result.errors.isEmpty)
        return result.output
    }

    /// The tables of a help page: each with its title, and the terms in its first column.
    private func tables(of help: String) -> [(title: String, terms: [String])] {
        help.split(separator: "\n\n").compactMap { paragraph in
            let lines = paragraph.split(separator: "\n")
            guard lines.count > 1, lines[0].hasSuffix(":"), !lines[0].hasPrefix(" ") else { return nil }
            // Lines that go on with a meaning are further in.
            let terms = lines.dropFirst().filter { $0.prefix { $0 == " " }.count < 4 || $0.hasPrefix("      --") }
                .map { line in
                    let term = line.drop { $0 == " " }
                    return String(term[..<(term.firstRange(of: "  ")?.lowerBound ?? term.endIndex)])
                }
            return (String(lines[0].dropLast()), terms)
        }
    }

    private func terms(_ title: String, of help: String) -> [String] {
        tables(of: help).first { $0.title == title }?.terms ?? []
    }

    @Test("the page has the commands of the help, in its groups and its order, with what follows their names")
    func commands() throws {
        let groups = tables(of: try help()).prefix { !$0.title.hasPrefix("Options") }
        #expect(groups.count == 5)
        for group in groups {
            let listed = page.items(in: group.title).filter { $0.hasPrefix("Ic ") }.map(ManPage.shown)
            #expect(listed == group.terms.map { $0.replacing("…", with: " ...") }, "\(group.title)")
        }
    }

    @Test("each command has the options of its help on the page, in their order")
    func options() throws {
        var entries: [(command: String, options: [String])] = []
        for item in page.items(in: "COMMANDS") {
            let text = ManPage.shown(item)
            if item.hasPrefix("Ic ") {
                entries.append((String(text.prefix { $0 != " " }), []))
            } else if item.hasPrefix("Fl ") {
                entries[entries.count - 1].options.append(text)
            }
        }
        #expect(entries.count > 15)
        for (command, options) in entries {
            let expected = terms("Options", of: try help(command))
            #expect(options == expected, "\(command)")
        }
    }

    @Test("exit codes and environment are those of the help")
    func tables() throws {
        let help = try help()
        #expect(page.items(in: "EXIT STATUS") == terms("Exit codes", of: help))
        // Some stand behind the one that they stand in for.
        let variables = page.items(in: "ENVIRONMENT").map { ManPage.shown($0).prefix { $0 != "," } }
        #expect(variables.map(String.init) == terms("Environment", of: help))
    }

    @Test(
        "the page has the fields, the escapes and the formats that the refusal of another one lists",
        arguments: [
            ("{there-is-none}", "Fields: ", "{"), ("{id:there-is-none}", "Escapes: ", ":"),
            ("there-is-none", "Formats: ", ""),
        ])
    func formats(_ format: String, _ title: String, _ opening: String) throws {
        let result = try ChildProcess.run(builtProgram("jokesctl"), ["random", "--format", format])
        #expect(result.ending == .exited(64))
        let line = try #require(result.errors.split(separator: "\n").first { $0.hasPrefix(title) })
        let listed = line.dropFirst(title.count).prefix { $0 != ";" && $0 != "," }.split(separator: " ").map(
            String.init)
        #expect(listed.count > 1)
        let others = ["{n}", "{t}", "{{, }}"]
        let items = page.items(in: "FORMATS").map(ManPage.shown).filter { item in
            opening.isEmpty ? !"{:".contains(item.prefix(1)) : item.hasPrefix(opening) && !others.contains(item)
        }
        #expect(items == listed)
    }
}
