import Testing

@Suite struct NotesTests {
    @Test("what was added, edited, moved and removed is printed, and nothing else")
    func changes() throws {
        let lines = try Program.run(
            "notes", typing: ["add milk", "add eggs", "add figs", "edit 1 oat milk", "first 3", "first 3", "remove 1"])
        #expect(
            lines == [
                "+ 1 milk",
                "+ 2 eggs",
                "+ 3 figs",
                "~ 1 milk -> oat milk",
                "^ 3 from row 3 to 1",
                "- 1 oat milk",
            ])
    }

    @Test("an edit that changes nothing is no change")
    func sameText() throws {
        #expect(try Program.run("notes", typing: ["add milk", "edit 1 milk"]) == ["+ 1 milk"])
    }

    @Test("a note that is not there is said not to be there, and the others stay")
    func unknownNote() throws {
        let lines = try Program.run("notes", typing: ["add milk", "edit 2 eggs", "remove 2", "first 2", "remove 1"])
        let refusal = "There is no such note."
        #expect(lines == ["+ 1 milk", refusal, refusal, refusal, "- 1 milk"])
    }

    @Test(
        "a line that is no command is answered with the commands", arguments: ["", "milk", "add", "edit 1", "remove x"])
    func invalid(line: String) throws {
        #expect(try Program.run("notes", typing: [line]) == ["Say: add TEXT, edit N TEXT, remove N or first N."])
    }
}
