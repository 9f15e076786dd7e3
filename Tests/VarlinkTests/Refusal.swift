import Testing
import Varlink

/// Expects that the body is refused with the error reply, which is given as its name and parameters in JSON.
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
