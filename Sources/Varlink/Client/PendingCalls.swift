/// The calls that wait for their replies, in order. Adding and removing takes constant time.
struct PendingCalls {
    struct Call {
        let wantsMore: Bool
        /// Receives each reply, or the error if the connection ends before the last reply.
        let receive: (Result<ReplyMessage, VarlinkError>) -> Void
    }

    private var calls: [Call?] = []
    /// The number of answered calls at the beginning.
    private var answered = 0

    var first: Call? { answered < calls.count ? calls[answered] : nil }

    mutating func append(_ call: Call) {
        calls.append(call)
    }

    mutating func removeFirst() {
        // Frees what the callback refers to.
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
