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
            try code(headed: "behind a field").sorted() == Template.Escape.allCases.map { ":\($0.rawValue)" }.sorted())
        #expect(try code(headed: "class") == BarPicture.State.allCases.map(\.rawValue))
    }

    @Test("what the help of a command says of formats has every field and every escape")
    func help() {
        for field in Template.Field.allCases { #expect(Template.notes.contains("{\(field.rawValue)}")) }
        for escape in Template.Escape.allCases { #expect(Template.notes.contains(":\(escape.rawValue)}")) }
    }
}
