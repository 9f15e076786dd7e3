import TestSupport
import Testing

@testable import JokesControl

/// The tables on formats in docs/jokesctl.md.
@Suite struct FormatPageTests {
    private func code(headed word: String) throws -> [String] {
        try PageTable.all(of: "docs/jokesctl.md", headed: word).flatMap(\.table.rows).flatMap {
            PageTable.codeSpans(in: $0[0])
        }
    }

    @Test("the page lists exactly the existing fields, escapes, classes and bar formats")
    func complete() throws {
        let fields = Template.fields.map { "{\($0.name)}" } + ["{n}", "{t}", "{{", "}}"]
        #expect(try code(headed: "in a format").sorted() == fields.sorted())
        #expect(
            try code(headed: "after a field").sorted() == Template.escapes.map { ":\($0.name)" }.sorted())
        #expect(try code(headed: "class") == BarContent.State.allCases.map(\.rawValue))
    }

    @Test("the help page on formats lists every field, escape and bar format")
    func help() {
        let terms = Set(
            HelpPage.formats.split(separator: "\n").compactMap { $0.split(separator: " ").first.map(String.init) })
        for field in Template.fields { #expect(terms.contains("{\(field.name)}")) }
        for escape in Template.escapes { #expect(terms.contains("{text:\(escape.name)}")) }
        for format in BarFormat.allCases { #expect(terms.contains(format.rawValue)) }
    }
}
