/// The calls that wait for their replies, in order; each end takes constant time, however many there are.
struct PendingCalls {
    struct Call {
        let wantsMore: Bool
        /// Gets each reply, and the error where the connection ends before the last one.
        let receive: (Result<ReplyMessage, VarlinkError>) -> Void
    }

    private var calls: [Call?] = []
    /// How many at the beginning are answered.
    private var answered = 0

    var first: Call? { answered < calls.count ? calls[answered] : nil }

    mutating func append(_ call: Call) {
        calls.append(call)
    }

    mutating func removeFirst() {
        // What its callback holds goes at once.
        calls[answered] = nil
        answered += 1
        if answered > calls.count / 2 {
            calls.removeFirst(answered)
            answered = 0
        }
    }

    mutating func takeAll() -> [Call] {
        defer { self = PendingCalls() }
        return calls[answered...].compactMap(\.self)
    }
}
