/// What keeps the daemon from running: one sentence, a hint where there is one, and the exit code of sysexits(3).
struct DaemonFailure: Error, Hashable {
    var sentence: String
    var hint: String?
    var status: Int32

    static let usage: Int32 = 64
    static let unavailable: Int32 = 69
    static let internalError: Int32 = 70
    static let cannotCreate: Int32 = 73
    static let inputOutput: Int32 = 74
    static let tryLater: Int32 = 75
    /// systemd does not restart the service after it: the same configuration would fail again.
    static let configuration: Int32 = 78
}
