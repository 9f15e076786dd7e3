import JokesCore
import SQLite

extension Connection {
    /// Applies the rules to all jokes and favorites. Does nothing if equal rules were applied last.
    ///
    /// O(n), and O(log n) for each joke that is now shown or no longer shown. One transaction, so that the rules hold
    /// for all jokes or for none (docs/architecture.md, Known costs).
    func adopt(_ rules: DisplayRules, at now: Timestamp) throws {
        let signature = rules.signature
        // In a transaction, because a failed transaction whose rollback also failed may still be open.
        guard try read({ try setting(.rules) }) != signature else { return }
        try write {
            try setSourceOrder(rules.sourceOrder)
            var groups = try TouchedGroups(self, rules, at: now)
            try groups.settleAll()
            try set(.rules, to: signature)
        }
    }

    /// Stores the order of the configured sources. A source that was configured before gets `removedOrderIndex`.
    private func setSourceOrder(_ names: [String]) throws {
        try prepare("UPDATE sources SET order_index = ?1 WHERE order_index <> ?2")
            .run(Schema.removedOrderIndex, Schema.unconfiguredOrderIndex)
        for (index, name) in names.enumerated() {
            try prepare("UPDATE sources SET order_index = ? WHERE key = ?").run(index, try sourceKey(name))
        }
    }
}
