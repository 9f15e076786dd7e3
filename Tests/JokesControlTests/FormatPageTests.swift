import TestSupport
import Testing

@testable import JokesControl

/// docs/jokesctl.md, as far as it tells of formats.
@Suite struct FormatPageTests {
    private func code(headed word: String) throws -> [String] {
        try PageTable.all(of: "docs/jokesctl.md", headed: word).flatMap(\.table.rows).flatMap { PageTable.code($0[0]) }
    }

    @Test("the page has every field, every escape, every class and every format of a bar, and no others")
    func complete() throws {
        let fields = Template.Field.allCases.map { "{\($0.rawValue)}" } + ["{n}", "{t}", "{{", "}}"]
        #expect(try code(headed: "in a format").sorted() == fields.sorted())
        #expect(
            try code(headed: "after a field").sorted() == Template.Escape.allCases.map { ":\($0.rawValue)" }.sorted())
        #expect(try code(headed: "class") == BarPicture.State.allCases.map(\.rawValue))
    }

    @Test("the help page on formats has every field, every escape and every format of a bar")
    func help() {
        let terms = Set(
            HelpPage.formats.split(separator: "\n").compactMap { $0.split(separator: " ").first.map(String.init) })
        for field in Template.Field.allCases { #expect(terms.contains("{\(field.rawValue)}")) }
        for escape in Template.Escape.allCases { #expect(terms.contains("{text:\(escape.rawValue)}")) }
        for format in BarFormat.allCases { #expect(terms.contains(format.rawValue)) }
    }
}
