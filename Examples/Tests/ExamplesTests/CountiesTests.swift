import Testing

@Suite struct CountiesTests {
    @Test("each letter takes away the counties it excludes, and updates the headers whose count changed")
    func typing() throws {
        #expect(
            try Program.run("counties", typing: ["cor"]) == [
                #""c": 7 rows, 0 came, 25 went; headers changed: 4"#,
                #""co": 2 rows, 0 came, 5 went; headers changed: 1"#,
                #""cor": 1 rows, 0 came, 1 went; headers changed: 0"#,
                "Munster (1)",
                "   1.1 Cork",
            ])
    }

    @Test("an empty line brings all 32 counties back")
    func clearing() throws {
        let lines = try Program.run("counties", typing: ["kerry", ""])
        #expect(lines.contains(#""": 32 rows, 31 came, 0 went; headers changed: 1"#))
        #expect(
            ["Connacht (5)", "Leinster (12)", "Munster (6)", "Ulster (9)"].allSatisfy(lines.suffix(36).contains))
    }

    @Test("the selected row stays selected wherever the next search shows it")
    func selection() throws {
        let lines = try Program.run("counties", typing: ["cor", "1.1", "o", "x"])
        #expect(lines.contains("Cork is selected."))
        #expect(lines.contains(" > 3.1 Cork"))
        #expect(lines.last == "   1.1 Wexford")
    }

    @Test("a row that is not shown cannot be selected", arguments: ["1.2", "2.1", "9223372036854775807.1"])
    func noSuchRow(place: String) throws {
        #expect(try Program.run("counties", typing: ["cork", place]).last == "There is no such row.")
    }
}
