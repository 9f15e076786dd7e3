extension SyncReport {
    /// `12 new of 446, 3 duplicates, 1 refused`: what came of a sync, for a line of its own.
    package var inWords: String {
        if let note { return note }
        var parts = [new == 0 ? "nothing new" : "\(new) new"]
        if seen > 0 { parts[0] += " of \(seen)" }
        if changed > 0 { parts.append("\(changed) changed") }
        if duplicates > 0 { parts.append(duplicates == 1 ? "1 duplicate" : "\(duplicates) duplicates") }
        if refused > 0 { parts.append("\(refused) refused") }
        if isPaused { parts.append("continues when the rate limit allows") }
        return parts.joined(separator: ", ")
    }
}
