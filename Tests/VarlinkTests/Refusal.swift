import Testing
import Varlink

/// The description of `VarlinkError.timedOut`.
let timedOut = "timed out waiting for a reply"

/// Expects that the body throws the error reply, as its name and its parameters in JSON.
func expectRefusal(
    _ expected: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) {
    do {
        try body()
        Issue.record("nothing was refused", sourceLocation: sourceLocation)
    } catch VarlinkError.refused(let reply) {
        #expect(reply.description == expected, sourceLocation: sourceLocation)
    } catch {
        Issue.record(error, sourceLocation: sourceLocation)
    }
}
