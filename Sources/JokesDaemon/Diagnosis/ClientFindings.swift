import JokesCore
import JokesProtocol
import Varlink

/// How many connections clients use, and how many they may use.
struct ClientFacts {
    var connections: Int
    var streams: Int
    var allowed: ServiceLimits

    var findings: [Wire.Finding] {
        let usual = ServiceLimits()
        let taken =
            "\(connections) of \(counted(allowed.connections, "connection")) and \(streams) of \(counted(allowed.streams, "stream")) in use"
        // A status bar or a prompt in each window can soon take the last tenth.
        let isScarce = connections * 10 > allowed.connections * 9 || streams * 10 > allowed.streams * 9
        // An idle connection is closed if another client connects; a stream is not.
        let isFull = streams >= allowed.streams
        var findings = [
            Wire.Finding(
                .clients, isFull ? .failed : isScarce ? .warning : .ok, taken,
                advice: isScarce || isFull
                    ? "Stop the clients that you do not need: ss -xp state connected | grep jokesd" : nil)
        ]
        if allowed.connections < usual.connections {
            findings.append(
                Wire.Finding(
                    .descriptors, .warning,
                    "the file descriptor limit allows only \(counted(allowed.connections, "client")) at a time, not \(usual.connections)",
                    advice:
                        "Raise LimitNOFILE= in the unit, or ulimit -n in the shell that starts jokesd, then restart jokesd."
                ))
        }
        return findings
    }
}
