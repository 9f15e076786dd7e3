import JokesCore
import JokesStore
import TestSupport
import Testing

@testable import JokesDaemon

@Suite struct StoreWriterTests {
    private static let full = StoreError(.full, attempt: "add favorite", reason: "the disk is full")
    private static let readOnly = StoreError(.readOnly, attempt: "hide", reason: "the file is read-only")

    /// A write that fails.
    @ServiceActor
    private func fail(_ stage: SyncStage, _ error: StoreError) async throws {
        await #expect(throws: error) { try await stage.writer.write { _ in throw error } }
    }

    @Test("a failure stays until a write has changed something")
    func failure() async throws {
        try await SyncStage.run { stage in
            #expect(stage.writer.failure == nil)
            try await fail(stage, Self.full)
            #expect(stage.writer.failure == Self.full)
            #expect(try await stage.writer.write { _ in 7 } == 7)
            #expect(stage.writer.failure == Self.full)
            try await stage.writer.write { try $0.save(SourcePosition(cursor: "1"), of: "a") }
            #expect(stage.writer.failure == nil)
        }
    }

    @Test("failures with the same reason are logged once, until another reason or a success")
    func log() async throws {
        try await SyncStage.run { stage in
            for error in [Self.full, Self.full, Self.readOnly, Self.full] { try await fail(stage, error) }
            await stage.writer.tryToWrite { _ in throw Self.full }
            try await stage.writer.write { try $0.save(SourcePosition(cursor: "1"), of: "a") }
            try await fail(stage, Self.full)
            let lines = stage.lines.withLock { $0 }.filter { $0.contains("cannot ") || $0.contains("storing changes") }
            let (full, readOnly) = ("jokesd: \(Self.full)", "jokesd: \(Self.readOnly)")
            #expect(lines == [full, readOnly, full, "jokesd: storing changes again", full])
        }
    }

    @Test("a change of a joke that is not cached is refused, and is no failure of the storage")
    func noSuchJoke() async throws {
        try await SyncStage.run { stage in
            let error = await #expect(throws: StoreError.self) {
                _ = try await stage.writer.write { try $0.favorite([JokeID(source: "a", upstream: "1")], at: .now) }
            }
            #expect(error?.code == .noSuchJoke)
            #expect(stage.writer.failure == nil)
        }
    }
}
