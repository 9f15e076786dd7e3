import JokesCore
import Terminal

/// The edit of a note, from the opening of its prompt to its end.
struct NoteEdit: Hashable, Sendable {
    /// The joke or favorite.
    let item: Item
    /// The note before the edit; nil if the joke is not a favorite.
    let oldNote: String?
    var field: TextField

    var text: String { field.text }
}

extension Model {
    /// Opens the prompt, with the draft of the note or with the note of the favorite.
    mutating func openNote() {
        guard let item = shownItem, let joke = item.id.joke, isConnected(else: "Note unchanged: not connected") else {
            return
        }
        let favorite = favorite(of: item, joke)
        if isFavorite(joke), favorite == nil, shownView?.selection != JokeSelection() || selection != JokeSelection() {
            // Its note is not known.
            notice = Notice(text: "The filter excludes this favorite; \(keys.name(of: .clearFilters)) clears it")
            return
        }
        let oldNote = isFavorite(joke) ? favorite?.note ?? "" : nil
        noteEdit = NoteEdit(item: item, oldNote: oldNote, field: TextField(drafts[joke] ?? oldNote ?? ""))
    }

    /// Puts the part of a text that fits into a note into the prompt.
    mutating func setNote(_ field: TextField) {
        noteEdit?.field = field.cut(to: Favorite.maxNoteLength) { Favorite.note($0) == nil }
    }

    /// Handles the end of the editor.
    mutating func handleEditor(_ text: String, refusal: String?) {
        notice = refusal.map { Notice(text: $0) }
        if refusal == nil { setNote(TextField(text)) }
    }

    /// Closes the prompt. A changed text stays as a draft, unless it is blank.
    mutating func leaveNote() -> [Effect] {
        guard let edit = noteEdit, let joke = edit.item.id.joke else { return [] }
        noteEdit = nil
        drafts[joke] = edit.field.isBlank || edit.text == edit.oldNote ? nil : edit.text
        if drafts[joke] != nil { notice = Notice(text: "Note kept as a draft; \(keys.name(of: .note)) continues") }
        return []
    }

    /// Saves the note, and makes the joke a favorite. Without a connection, the prompt stays open.
    mutating func saveNote() -> [Effect] {
        guard link == .live, let edit = noteEdit, let joke = edit.item.id.joke, let note = Favorite.note(edit.text)
        else { return [] }
        noteEdit = nil
        // The daemon may refuse the note.
        drafts[joke] = note == edit.oldNote ?? "" ? nil : edit.text
        if drafts[joke] != nil { return change(.favorite(joke, isFavorite: true, note: note)) }
        notice = Notice(text: "Note unchanged")
        return []
    }
}
