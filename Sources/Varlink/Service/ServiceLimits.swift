/// What a service allows its clients; beyond it they are refused, each in its own way.
public struct ServiceLimits: Sendable {
    /// The bytes of one message from a client; a longer one ends the connection.
    public var messageBytes = 1 << 20
    /// The connections at a time; those over it get an error to their first call, and are closed.
    public var connections = 1024
    /// The connections at a time of one user: the rest is left to the others.
    public var connectionsPerUser = 1016
    /// How long a connection may be idle, with no call under way and no answer to take, where another would be one too many:
    /// the one that has been so longest then gives way.
    public var idleTime: Duration = .seconds(10)
    /// The refused connections that are kept until they have called once; those over it are told at once, whatever they
    /// make of it.
    public var refusals = 64
    /// The streams at a time, one connection having one at most; a call for one more gets an error. Fewer than
    /// connections, so that there is room for who only asks.
    public var streams = 1000
    /// The bytes of calls that wait for the answer to an earlier one; beyond them the client's writes wait.
    public var pipelineBytes = 1 << 16
    /// The bytes of replies that wait for the client to read; beyond them its next calls wait.
    public var unreadBytes = 1 << 16
    /// The bytes of replies that a stream may pile up; beyond them the connection ends.
    public var outputBytes = 8 << 20
    /// The bytes that all connections may allocate together for messages, in and out, those encoded once for many counted
    /// once; beyond them the connections that hold the most end.
    public var totalBytes = 16 << 20
    /// The calls of one client that are answered in a row if no other client waits. Otherwise clients take turns, one call
    /// each.
    public var callsPerTurn = 16
    /// How long calls are answered before new connections, timers and the program's own work have their turn. A call that
    /// takes longer is finished.
    public var turnTime: Duration = .milliseconds(4)

    /// The defaults.
    public init() {}
}
