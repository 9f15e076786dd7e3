import JokesCore
import JokesProtocol
import JokesStore

/// The facts about the cache that explain why jokes are missing from it.
struct CacheFacts {
    var counts: JokeCounts
    var limits: CacheLimits

    var findings: [Wire.Finding] {
        let removed = counts.sources.filter(\.value.isRemoved).sorted { $0.key < $1.key }
        return [room]
            + removed.map { name, count in
                Wire.Finding(
                    .cache, of: name, .ok,
                    "\(counted(count.stored, "joke")) of '\(name)' not shown: the source is no longer configured",
                    advice: "Remove the jokes: jokesctl forget \(name)")
            }
    }

    private var room: Wire.Finding {
        let stored = "\(counts.stored) of at most \(counted(limits.jokes + counts.marks, "joke")) cached"
        guard counts.evicted > 0 else { return Wire.Finding(.cache, .ok, stored) }
        return Wire.Finding(
            .cache, .ok, "\(stored), \(counts.evicted) evicted",
            advice: "To keep more jokes, raise \"maxJokes\" in the configuration. Then run: jokesctl refresh")
    }
}
