import JokesCore
import JokesProtocol
import JokesStore
import Unix
import Varlink

/// What is done about damage: see "Recovery" in docs/architecture.md.
extension Daemon {
    /// Learns of damage wherever it is met. On the store's thread somebody writes, on this one somebody reads.
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

    /// So long it refuses everything where a new database turns out to be damaged, too: whatever is wrong then is not
    /// mended by making another one.
    private static let pauseBetweenRecoveries: Duration = .seconds(60)

    /// The store refuses everything until it has been recovered; whoever asks it meanwhile has it tried again.
    private func damageMet(_ error: StoreError) {
        guard recovering == nil else { return }
        if let recoveredAt, recoveredAt.duration(to: .now) < Self.pauseBetweenRecoveries {
            storageFailure = error
            return
        }
        // Waiting for the tasks that it ends is no actor's, and so for the loop to do.
        recovering = Task(executorPreference: loop) { await self.recoverWhereDamaged(error) }
    }

    private func recoverWhereDamaged(_ error: StoreError) async {
        // It may have been told late.
        if await store.isDamaged { await recover(from: error) }
        recovering = nil
        if keepsSchedule { startDueSyncs() }
    }

    /// Begins anew with what can be read of favorites, and asks the sources again for all they have.
    private func recover(from error: StoreError) async {
        storageFailure = error
        log.error(error.description)
        // Where a source goes on must not get into a database without its jokes. None starts before `recovering` is nil.
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

    /// At start, where a table turns out to be damaged that was not looked at before.
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
    /// What people are told of it in the log.
    var inWords: String {
        "recovered: " + wire.lines.joined(separator: "; ")
    }

    var wire: Wire.Recovery {
        Wire.Recovery(
            at: at.microseconds, reason: reason, damagedFile: damagedFile, favorites: favorites,
            favoritesLost: favoritesLost)
    }
}
