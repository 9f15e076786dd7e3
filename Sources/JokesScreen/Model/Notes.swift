import JokesCore
import Terminal

/// The edit of a note, from the opening of its prompt to its end.
package struct NoteEdit: Hashable, Sendable {
    /// The joke or favorite.
    let item: Item
    /// The note before the edit; nil if the joke is not a favorite.
    let oldNote: String?
    package internal(set) var text: String
    /// True if the last input did not fit.
    package internal(set) var isCut = false
}

/// A note that the daemon has not accepted yet. It is not lost if the daemon refuses it.
struct UnsavedNote: Hashable, Sendable {
    let joke: JokeID
    let text: String
    /// The call that saves it.
    let call: PendingMark.Call
}

extension Model {
    /// Opens the prompt, with the note of the favorite or with a refused one.
    mutating func openNote() {
        guard let item = shownItem, let joke = item.id.joke, isConnected(else: "Note unchanged: not connected") else {
            return
        }
        if isExcludedFavorite(item, joke) { return }
        let favorite = favorite(of: item, joke)
        let oldNote = isFavorite(joke) ? favorite?.note ?? "" : nil
        let unsaved = unsavedNote.flatMap { $0.joke == joke ? $0.text : nil }
        noteEdit = NoteEdit(item: item, oldNote: oldNote, text: unsaved ?? oldNote ?? "")
    }

    mutating func typeInNote(_ key: Key) -> [Effect] {
        if key == .enter { return saveNote() }
        if key == .escape {
            noteEdit = nil
            return []
        }
        if let text = noteEdit?.text.edited(by: key) {
            setNote(text)
            return []
        }
        switch keys.action(for: key) {
        case .redraw: return [.redraw]
        case .suspend: return [.suspend]
        case .quit: noteEdit = nil
        default: break
        }
        return []
    }

    /// Replaces the text in the prompt with the part of `text` that fits into a note.
    mutating func setNote(_ text: String) {
        var kept = String(text.prefix(Favorite.maxNoteLength))
        while Favorite.note(kept) == nil { kept.removeLast() }
        noteEdit?.isCut = kept.utf8.count < text.utf8.count
        noteEdit?.text = kept
    }

    /// Saves the note, and makes the joke a favorite. Without a connection, the prompt stays open.
    private mutating func saveNote() -> [Effect] {
        guard link == .live, let edit = noteEdit, let joke = edit.item.id.joke, let note = Favorite.note(edit.text)
        else { return [] }
        noteEdit = nil
        guard note != edit.oldNote ?? "" else {
            notice = Notice(text: "Note unchanged")
            return []
        }
        let star = Mark.star(joke)
        let undo = MarkChange(star, isSet: edit.oldNote != nil, note: edit.oldNote)
        let call = remember(undo, edit.oldNote == nil ? "Favorite removed" : "Old note restored", edit.item)
        unsavedNote = UnsavedNote(joke: joke, text: edit.text, call: call)
        return make(MarkChange(star, isSet: true, note: note), call)
    }

    /// Handles a call that the daemon has accepted. Shows a notice if the call saved a note that was not undone since.
    mutating func confirmNote(_ call: PendingMark.Call) {
        guard let saved = unsavedNote, saved.call == call else { return }
        unsavedNote = nil
        guard let step = undos.last(where: { .byHand($0.number) == call }) else { return }
        let words = Favorite.note(saved.text)?.isEmpty == true ? "Note removed" : "Note saved"
        let isLast = step == undos.last
        notice = Notice(text: isLast ? "\(words); \(keys.name(of: .undo)) undoes" : words)
    }
}
