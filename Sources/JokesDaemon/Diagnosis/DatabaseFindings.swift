import JokesCore
import JokesProtocol
import JokesStore

/// What is to be known of the database, and of having looked through it.
struct DatabaseHealth {
    /// Or why it cannot be read.
    var facts: Result<DatabaseFacts, StoreError>
    /// Nil where that takes longer.
    var outcome: CheckOutcome?
    var now: Timestamp

    var finding: Wire.Finding {
        let facts: DatabaseFacts
        switch self.facts {
        case .failure(let error): return Self.failed(error)
        case .success(let read): facts = read
        }
        let form = "\(bytesInWords(facts.bytes + facts.logBytes)), schema \(facts.schemaVersion)"
        let last =
            facts.lastCheck.map { "last checked \(TimeInWords.ago($0, now: now))" } ?? "never checked"
        switch outcome {
        case .sound: return Wire.Finding(.database, .ok, "\(facts.path) is sound: \(form)")
        case .failed(let error): return Self.failed(error)
        case CheckOutcome.none?:
            return Wire.Finding(.database, .ok, "\(facts.path) is readable: \(form), \(last)")
        case nil:
            return Wire.Finding(
                .database, .ok, "\(facts.path) is being checked, no damage so far: \(form), \(last)",
                advice: "The check takes a while. Try again later: jokesctl doctor")
        }
    }

    private static func failed(_ error: StoreError) -> Wire.Finding {
        Wire.Finding(.database, .failed, error.reason, advice: error.hint)
    }
}
