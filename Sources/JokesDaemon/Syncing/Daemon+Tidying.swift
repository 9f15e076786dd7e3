import JokesProtocol
import JokesStore
import Unix

/// Keeping the cache within its limits.
extension Daemon {
    /// Begins to let go of what is too much or too old, in small steps that others write between; asked while it does,
    /// it goes round once more.
    func tidyUp() {
        mustTidyAgain = true
        guard tidying == nil else { return }
        tidying = Task {
            while mustTidyAgain && !Task.isCancelled {
                mustTidyAgain = false
                await tidyOnce()
            }
            tidying = nil
        }
    }

    private func tidyOnce() async {
        var removed = 0
        while !Task.isCancelled {
            guard let step = await tidyingStep() else { break }
            removed += step.removed
            if step.isLast { break }
        }
        guard removed > 0 else { return }
        let evicted = counts.evicted
        attempt("publish the remaining jokes") { try jokesChanged() }
        log.debug("cache: removed \(counted(removed, "joke"))")
        if follow == nil, counts.evicted > evicted, let evictionNotice { log.info(evictionNotice) }
    }

    /// What a full cache had no room for; nil if it had room for everything.
    var evictionNotice: String? {
        counts.evicted == 0
            ? nil
            : "cache: \(counted(counts.evicted, "joke")) evicted so far: the limit is \(limits.jokes), set by \"maxJokes\""
    }

    /// Nil where it failed, which is in the log: the next sync tries again. That a step does well which writes nothing
    /// does not say that there is room on the disk again.
    private func tidyingStep() async -> TidyingStep? {
        do {
            return try await store.tidy(at: .now)
        } catch {
            log.error(error.description)
            return nil
        }
    }

    /// Ends after the step that is under way.
    func stopTidying() async {
        tidying?.cancel()
        await tidying?.value
    }
}
