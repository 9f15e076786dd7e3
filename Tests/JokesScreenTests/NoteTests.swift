import JokesCore
import Terminal
import Testing
import TextLayout

@testable import JokesScreen

@Suite struct NoteTests {
    private let zero = JokeID(rawValue: "t:0")
    private let kept = JokeID(rawValue: "t:7")

    private func play() throws -> Play {
        var play = Play(columns: 60, rows: 12)
        play.happen(
            .changed(try snapshot(favorites: [favorite("t:7", "Kept.", note: "for Ann")], jokes: numbered(0..<4))))
        play.type("gj")
        return play
    }

    @Test("e edits the note of a favorite, and Enter saves it")
    func edits() throws {
        var play = try play()
        play.type("e")
        #expect(play.screen.contains("\nNote: for Ann") && play.screen.hasSuffix("Enter saves, Alt+e: editor"))
        #expect(view(play.model).cursor == Position(column: 13, row: 11))
        play.press(.backspace, .control("w"))
        play.type("Bob")
        #expect(play.takeEffects() == [])
        play.press(.enter)
        #expect(play.takeEffects() == [.send(.note(kept, "for Bob"))])
        #expect(!play.screen.contains("Note saved"))
        play.answer()
        #expect(play.screen.hasSuffix("Note saved; u undoes"))
    }

    @Test("an empty note removes the note, and does nothing without a favorite")
    func emptied() throws {
        var play = try play()
        play.type("e")
        play.press(.control("u"), .enter)
        #expect(play.takeEffects() == [.send(.note(kept, ""))])
        play.answer()
        #expect(play.screen.hasSuffix("Note removed; u undoes"))
        _ = play.takeEffects()
        play.type("jje  ")
        play.press(.enter)
        #expect(play.takeEffects() == [] && play.screen.hasSuffix("Note unchanged"))
    }

    @Test("escape and ^C leave the note as it is and keep changed text as a draft, until it is deleted")
    func canceled() throws {
        for key in [Key.escape, .control("c")] {
            var play = try play()
            let before = play.screen
            play.type("e")
            play.press(key)
            #expect(play.screen == before)
            play.type("exyz")
            play.press(.down, .pageDown, key)
            #expect(play.screen.hasSuffix(" Note kept as a draft; e continues") && play.takeEffects() == [])
            play.type("e")
            #expect(play.screen.contains("Note: for Annxyz"))
            play.press(.control("u"), key)
            #expect(play.screen == before && play.takeEffects() == [])
            play.type("e")
            #expect(play.screen.contains("Note: for Ann "))
        }
    }

    @Test("each joke has its own draft, which is gone when it is saved")
    func drafts() throws {
        var play = try play()
        play.type("e!")
        play.press(.escape)
        play.type("jjeA draft.")
        play.press(.escape)
        play.type("kke")
        #expect(play.screen.contains("Note: for Ann! "))
        play.press(.enter)
        play.answer()
        play.type("e")
        #expect(play.screen.contains("Note: for Ann "))
        play.press(.escape)
        play.type("jje")
        #expect(play.screen.contains("Note: A draft. "))
        play.press(.enter)
        #expect(play.takeEffects().last == .send(.note(zero, "A draft.")))
    }

    @Test("Alt+e lends the terminal to an editor; if the editor fails, the typed text stays, and a notice says why")
    func editor() throws {
        var play = try play()
        play.type("e!")
        play.press(.alt("e"))
        #expect(play.takeEffects() == [.editNote])
        play.happen(.noteEdited("from an editor", refusal: nil))
        #expect(play.screen.contains("Note: from an editor "))
        play.type("!")
        play.happen(.noteEdited("", refusal: "The editor was killed"))
        #expect(play.screen.contains("Note: from an editor! ") && play.screen.hasSuffix("The editor was killed"))
        play.happen(.noteEdited(String(repeating: "long ", count: 200), refusal: nil))
        #expect(play.model.noteEdit?.text.count == 500 && play.screen.hasSuffix("note too long"))
        play.happen(.resized(Size(columns: 80, rows: 12)))
        play.press(.backspace)
        #expect(play.screen.hasSuffix("Enter saves, Alt+e: editor"))
        play.press(.enter)
        guard case .send(.favorite) = play.takeEffects().first else { return #expect(Bool(false)) }
    }

    @Test("pasted text goes into the note, which has at most 500 characters")
    func pasted() throws {
        var play = try play()
        play.type("e")
        play.happen(.pasted("\nand\u{1B}[2J \(String(repeating: "x", count: 600))"))
        #expect(play.model.noteEdit?.text.count == 500 && play.screen.hasSuffix("note too long"))
        play.type("y")
        #expect(play.screen.hasSuffix("note too long"))
        play.press(.backspace)
        #expect(play.screen.hasSuffix("Enter saves, Alt+e: editor"))
        play.press(.enter)
        guard case .send(.favorite(_, _, let note)) = play.takeEffects().first else { return #expect(Bool(false)) }
        #expect(note?.hasPrefix("for Ann\nand xxx") == true)
    }

    @Test("without a connection, the note is not saved and stays in the prompt")
    func away() throws {
        var play = try play()
        play.type("e!")
        play.happen(.unreachable(reason: "gone", retryAt: noon))
        play.press(.enter)
        #expect(play.takeEffects() == [] && play.screen.contains("Note: for Ann!"))
        #expect(play.screen.hasSuffix("not connected"))
        #expect(!play.screen.contains("daemon unreachable"))
        play.happen(.changed(try snapshot(jokes: numbered(0..<4))))
        play.press(.enter)
        #expect(play.takeEffects() == [.send(.note(kept, "for Ann!"))])
        play.happen(.unreachable(reason: "gone", retryAt: noon))
        play.type("je")
        #expect(play.model.noteEdit == nil && play.screen.contains("Note unchanged: not connected"))
    }

    @Test("a refused note is in the prompt again when the note is edited next")
    func refused() throws {
        var play = try play()
        play.type("e!")
        play.press(.enter)
        play.answer(.refused("The disk is full."))
        #expect(play.screen.hasSuffix("The disk is full."))
        play.type("e")
        #expect(play.screen.contains("Note: for Ann!"))
        play.press(.enter)
        play.answer()
        play.type("e")
        #expect(play.screen.contains("Note: for Ann "))
    }

    @Test("a favorite that the filter excludes keeps its note")
    func filtered() throws {
        var play = try Play(columns: 60, rows: 12, showing: snapshot(jokes: [joke("t:7", "Kept.", isFavorite: true)]))
        play.openFilters()
        play.type("j q")
        _ = play.takeEffects()
        // An undo could not restore the note.
        play.type("e")
        #expect(play.model.noteEdit == nil && play.takeEffects() == [])
        #expect(play.screen.contains("The filter excludes this favorite; c clears it"))
    }
}
