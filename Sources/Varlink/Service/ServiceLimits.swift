/// The limits of a service for its clients.
public struct ServiceLimits: Sendable {
    /// The maximum size of a message in bytes. A longer one ends the connection.
    public var messageBytes = 1 << 20
    /// The maximum number of connections. Further ones get the error `busy` at once, and are closed. A client takes it as
    /// the reply to its first call.
    public var connections = 1024
    /// The maximum number of connections of one user.
    public var connectionsPerUser = 1016
    /// The time after which a connection without a call or an unread reply may be closed for a new one.
    public var idleTime: Duration = .seconds(10)
    /// The maximum number of streams. Further ones get an error. Smaller than `connections`, to leave room for calls.
    public var streams = 1000
    /// The maximum size of calls that wait for an earlier one, in bytes. Then the client's writes wait.
    public var pipelineBytes = 1 << 16
    /// The maximum size of replies that the client has not read, in bytes. Then its next calls wait.
    public var unreadBytes = 1 << 16
    /// The maximum size of unread replies of a stream, in bytes. Beyond it, the connection ends.
    public var outputBytes = 8 << 20
    /// The maximum size of all messages, in bytes. A shared reply counts once. Beyond it, the largest connections end.
    public var totalBytes = 16 << 20
    /// The maximum number of calls that are answered in a row. If other clients wait, each call is a turn.
    public var callsPerTurn = 16
    /// The time for calls in a turn of the loop, before other work follows. A longer call is not interrupted.
    public var turnTime: Duration = .milliseconds(4)

    /// Creates the default limits.
    public init() {}
}
