import JokesCore
import JokesProtocol
import JokesStore

/// The facts and the check of the database.
struct DatabaseHealth {
    /// The facts, or why the database cannot be read.
    var facts: Result<DatabaseFacts, StoreError>
    var outcome: CheckOutcome

    var finding: Wire.Finding {
        let facts: DatabaseFacts
        switch self.facts {
        case .failure(let error): return Self.failed(error)
        case .success(let read): facts = read
        }
        let form = "\(bytesInWords(facts.bytes + facts.logBytes)), schema \(facts.schemaVersion)"
        switch outcome {
        case .sound: return Wire.Finding(.database, .ok, "\(facts.path) is sound: \(form)")
        case .failed(let error): return Self.failed(error)
        case .unfinished:
            return Wire.Finding(.database, .ok, "\(facts.path) is readable, and was not completely checked: \(form)")
        }
    }

    private static func failed(_ error: StoreError) -> Wire.Finding {
        Wire.Finding(.database, .failed, error.reason, advice: error.hint)
    }
}
