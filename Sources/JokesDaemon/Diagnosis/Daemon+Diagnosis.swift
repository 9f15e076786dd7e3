import JokesCore
import JokesProtocol
import JokesStore
import Unix
import Varlink

/// The reply to `Diagnose`. Facts are collected here, and judged by pure functions.
extension Daemon {
    /// Replies with the findings, after a check of the whole database.
    func diagnose(_ call: VarlinkCall<DiagnoseMethod.Parameters, DiagnoseMethod.Reply>) {
        // Without the preference, the runtime's threads would wait for the check.
        Task(executorPreference: loop) {
            call.reply(DiagnoseMethod.Reply(findings: await self.findings().map(\.clean)))
        }
    }

    private func findings() async -> [Wire.Finding] {
        // Shows whether a change can be stored, and writes removed files again, so that the check finds them.
        await writer.tryToWrite { try $0.tryWriting() }
        let facts = readFacts()
        let latestRecorded = latestRecorded
        let outcome = await checker.check()
        let enabled = syncs.planner.order.compactMap(syncs.planner.configuration(of:)).filter(\.isEnabled)
        let misconfigured = await worker.obstacles(to: enabled)
        let leads = await worker.leadsOverServers()
        // Nothing is awaited from here on, so all facts are of one moment.
        let now = Timestamp.now
        let obstacles = pausing(at: now).merging(misconfigured) { $1 }
        return [
            programFacts(at: now).finding, configurationFacts.finding,
            DatabaseHealth(facts: facts, outcome: outcome).finding,
        ] + status.findings(now: now) + [
            diskFacts(try? facts.get()).finding
        ] + CacheFacts(counts: views.counts, limits: views.limits).findings + [
            ClockFacts(now: now, latestRecorded: latestRecorded, leadsOverServers: leads).finding
        ] + clientFindings
            + sources.sources.findings(
                isOffline: syncs.planner.isOffline, obstacles: obstacles, reload: reloadCommand, now: now)
    }

    private func readFacts() -> Result<DatabaseFacts, StoreError> {
        Result { () throws(StoreError) in try reader.facts() }
    }

    private func programFacts(at now: Timestamp) -> ProgramFacts {
        ProgramFacts(
            version: jokesdVersion, process: processID(), startedAt: startedAt, isReplaced: isProgramReplaced(),
            restart: OwnUnit.ofThisProcess(prefix: "jokesd")?.command("restart")
                ?? "end process \(processID()), then start jokesd", now: now)
    }

    private func diskFacts(_ database: DatabaseFacts?) -> DiskFacts {
        let folder = parentFolder(of: writer.store.path)
        let space = try? FileSystemSpace(of: folder)
        return DiskFacts(
            folder: folder, freeBytes: space?.freeBytes, freeFiles: space?.freeFiles,
            databaseBytes: database?.bytes ?? 0, logBytes: database?.logBytes ?? 0,
            reasonAgainstWriting: reasonAgainstWriting(to: folder))
    }

    private var clientFindings: [Wire.Finding] {
        guard let service = server?.service else { return [] }
        return ClientFacts(
            connections: service.connectionCount, streams: service.streamCount, allowed: service.limits
        ).findings
    }

    private var latestRecorded: Timestamp? {
        let states = syncs.planner.order.compactMap(syncs.planner.state(of:))
        let favorite = try? reader.favorites(after: nil, limit: 1).rows.first?.favoritedAt
        let times = states.flatMap { [$0.lastAttempt, $0.lastSuccess] } + [startedAt, favorite]
        return times.compactMap(\.self).max()
    }

    /// The services that have asked for a pause.
    private func pausing(at now: Timestamp) -> [String: SourceObstacle] {
        let waits = syncs.planner.failing.compactMap { name -> (String, SourceObstacle)? in
            guard let until = syncs.planner.state(of: name)?.unwelcomeUntil, until > now else { return nil }
            return (name, .unwelcome(until: until))
        }
        return Dictionary(uniqueKeysWithValues: waits)
    }
}

extension Wire.Finding {
    /// Without control characters, which a path may have.
    fileprivate var clean: Wire.Finding {
        var copy = self
        copy.finding = cleanText(finding)
        copy.advice = advice.map(cleanText)
        return copy
    }
}
