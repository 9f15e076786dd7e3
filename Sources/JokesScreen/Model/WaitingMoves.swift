import JokesCore

/// Moves that have reached jokes that are not loaded. When these jokes come, the moves are repeated from where they began,
/// so that keys pressed at once lead to the same joke as keys pressed slowly.
struct WaitingMoves: Hashable, Sendable {
    let cursor: RowID
    let top: Anchor
    var actions: [Action]
}

extension Model {
    /// Moves the cursor by rows or pages, as far as jokes are loaded. If other moves in this direction wait, it waits too.
    mutating func move(_ action: Action, after waiting: WaitingMoves?) {
        if var waiting, waiting.actions.first?.isForward == action.isForward {
            waiting.actions.append(action)
            waitingMoves = waiting
            return
        }
        let (cursor, top) = (cursor, top)
        moveInWindow(action)
        guard link == .live, jump == nil, let cursor, let top, hasReachedEdge(by: action) else { return }
        waitingMoves = WaitingMoves(cursor: cursor, top: top, actions: [action])
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
