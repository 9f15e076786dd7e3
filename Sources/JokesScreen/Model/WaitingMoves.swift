import Diffable
import JokesCore
import JokesProtocol

/// Moves in one direction since the first one that reached jokes that are not loaded. When the jokes are loaded, all are
/// repeated from where they began: keys pressed at once lead to the same joke as keys pressed slowly. Any other key ends
/// the waiting.
package struct WaitingMoves: Hashable, Sendable {
    let cursor: RowID
    let top: Anchor
    var actions: [Action]
}

extension Model {
    /// Moves the cursor by rows or pages, as far as jokes are loaded.
    mutating func move(_ action: Action, after waiting: WaitingMoves?) {
        let (cursor, top) = (cursor, top)
        moveInWindow(action)
        if var waiting, waiting.actions.first?.isForward == action.isForward {
            waiting.actions.append(action)
            waitingMoves = waiting
        } else if let cursor, let top, link == .live, jump == nil, isListWatched, hasReachedEdge(by: action) {
            waitingMoves = WaitingMoves(cursor: cursor, top: top, actions: [action])
        }
    }

    /// False while the list of another selection or query is loading.
    private var isListWatched: Bool {
        guard watched.selection == shownSelection else { return false }
        guard case .searchResults(let query, _, _, _) = snapshot?.section(for: .searchResults) else {
            return watched.query == nil
        }
        return watched.query == query
    }

    private mutating func moveInWindow(_ action: Action) {
        switch action {
        case .down: moveDown()
        case .up: moveUp()
        case .halfPageDown: page(by: max(1, listHeight / 2))
        case .halfPageUp: page(by: -max(1, listHeight / 2))
        case .pageDown: page(by: max(1, listHeight - 1))
        case .pageUp: page(by: -max(1, listHeight - 1))
        default: preconditionFailure("\(action) is not a move")
        }
    }

    /// True if the move was too short because jokes are not loaded. The row in place of these jokes ends each page.
    private func hasReachedEdge(by action: Action) -> Bool {
        let edge = action.isForward ? RowID.more(listed) : .above(listed)
        if cursor == edge { return true }
        return action != .down && action != .up && screenLine(of: edge) != nil
    }

    /// Repeats the waiting moves in a new window. They wait again if they reach its end.
    mutating func repeatWaitingMoves() {
        guard let waiting = waitingMoves else { return }
        waitingMoves = nil
        if rows.contains(waiting.cursor), rows.contains(waiting.top.row) {
            (cursor, top) = (waiting.cursor, waiting.top)
            showCursor()
        }
        for action in waiting.actions { move(action, after: waitingMoves) }
    }
}

extension Action {
    /// True for a move towards the end of the list.
    fileprivate var isForward: Bool { [.down, .halfPageDown, .pageDown].contains(self) }
}
