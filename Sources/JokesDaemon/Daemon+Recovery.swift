import JokesCore
import JokesProtocol
import JokesStore
import Unix
import Varlink

/// The response to a damaged database: see "Recovery" in docs/architecture.md.
extension Daemon {
    /// Handles damage that the store or the daemon's reader finds.
    func watchForDamage() async {
        reader.tellOfDamage = { [store, loop] found in
            Task(executorPreference: loop) { await store.report(found) }
        }
        let tell: @Sendable (StoreError) -> Void = { [weak self, loop] error in
            loop.perform { [weak self] in
                self?.assumeIsolated { $0.damageMet(error) }
            }
        }
        await store.whenDamaged(tell)
        await store.whenFilesRestored { [weak self, loop] recovery in
            loop.perform { [weak self] in
                self?.assumeIsolated { $0.filesRestored(recovery) }
            }
        }
    }

    /// The minimum time between two recoveries. If the new database is damaged too, another one would not help: changes
    /// are refused instead.
    private static let pauseBetweenRecoveries: Duration = .seconds(60)

    /// Begins a recovery, unless one runs or has just ended. Until it ends, the store refuses all calls.
    private func damageMet(_ error: StoreError) {
        guard recovering == nil else { return }
        if let recoveredAt, recoveredAt.duration(to: .now) < Self.pauseBetweenRecoveries {
            storageFailure = error
            return
        }
        // The store's and the daemon's executors must be free while it waits for the syncs to end.
        recovering = Task(executorPreference: loop) { await self.recoverWhereDamaged(error) }
    }

    private func recoverWhereDamaged(_ error: StoreError) async {
        // A second report of the same damage may come after the recovery.
        if await store.isDamaged { await recover(from: error) }
        recovering = nil
        if keepsSchedule { startDueSyncs() }
    }

    /// Recovers the store, and syncs all sources from the beginning.
    private func recover(from error: StoreError) async {
        storageFailure = error
        log.error(error.description)
        // A sync must not save its position in a database that lacks its jokes. None starts before `recovering` is nil.
        await endSyncs()
        await stopTidying()
        do {
            let recovery = try await store.recover()
            recoveredAt = .now
            storageFailure = nil
            if let recovery { log.error(recovery.inWords) }
            planner = planner.beginningAnew(at: .now)
            if let configuration { try await takeOver(configuration) }
        } catch let error as StoreError {
            storageFailure = error
            log.error(error.description)
        } catch {
            log.error("cannot continue after a recovery: \(error)")
        }
    }

    private func filesRestored(_ recovery: Recovery) {
        log.error(recovery.inWords)
        attempt("publish a recovery") { try recoveriesChanged() }
        publish()
    }

    /// Recovers during the start, if reading the cache finds damage that opening the database did not.
    func recoverAtStart(from error: StoreError) async throws {
        await store.report(reader.damage(error))
        if let recovery = try await store.recover() { log.error(recovery.inWords) }
        planner = planner.beginningAnew(at: .now)
    }

    func recoveriesChanged() throws {
        recoveries = try reader.recoveries()
        catalog.handle(.recovered(!recoveries.isEmpty))
    }

    func acknowledge(_ call: VarlinkCall<AcknowledgeRecoveriesMethod.Parameters, AcknowledgeRecoveriesMethod.Reply>) {
        let time = Timestamp(microseconds: call.parameters.until)
        Task {
            do {
                try await writing { try $0.forgetRecoveries(until: time) }
                attempt("publish an acknowledged recovery") { try recoveriesChanged() }
                publish()
                call.reply(AcknowledgeRecoveriesMethod.Reply())
            } catch {
                call.fail(JokesService.explain(error))
            }
        }
    }
}

extension Recovery {
    /// The line in the log.
    var inWords: String {
        "recovered: " + wire.lines.joined(separator: "; ")
    }

    var wire: Wire.Recovery {
        Wire.Recovery(
            at: at.microseconds, reason: reason, damagedFile: damagedFile, favorites: favorites,
            favoritesLost: favoritesLost)
    }
}
