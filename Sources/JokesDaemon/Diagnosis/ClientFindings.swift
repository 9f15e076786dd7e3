import JokesProtocol
import Varlink

/// What clients have taken of what they may take.
struct ClientFacts {
    var connections: Int
    var streams: Int
    var allowed: ServiceLimits

    var findings: [Wire.Finding] {
        let usual = ServiceLimits()
        let taken =
            "\(connections) of \(counted(allowed.connections, "connection")) taken, \(streams) of \(counted(allowed.streams, "stream"))"
        // The last tenth is soon gone where a bar or a prompt comes for each window.
        let isScarce = connections * 10 > allowed.connections * 9 || streams * 10 > allowed.streams * 9
        // A connection that is idle gives way to another; a stream does not.
        let isFull = streams >= allowed.streams
        var findings = [
            Wire.Finding(
                .clients, isFull ? .failed : isScarce ? .warning : .ok, taken,
                advice: isScarce || isFull
                    ? "See who holds them, and end what is not needed: ss -xp state connected | grep jokesd" : nil)
        ]
        if allowed.connections < usual.connections {
            findings.append(
                Wire.Finding(
                    .descriptors, .warning,
                    "the system gives so few descriptors that \(counted(allowed.connections, "client")) can be served at a time, not \(usual.connections)",
                    advice:
                        "Give it more, and start it anew: LimitNOFILE= in its unit, or ulimit -n where it is started by hand."
                ))
        }
        return findings
    }
}
