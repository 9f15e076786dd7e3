import Unix

/// How a client is told that it is one too many.
///
/// It keeps its connection until it has called once, so that stock clients, which write first and read then, find the
/// answer where they look for it. Only so many are kept waiting, and only for so long.
enum ServiceRefusal {
    /// How long one may take to call.
    static let patience = Duration.seconds(5)

    /// Writes the refusal as far as that goes without waiting.
    static func send(_ refusal: EncodedReply, to socket: borrowing Descriptor) {
        let descriptor = socket.rawValue
        refusal.frame.withUnsafeBytes { bytes in
            // Whether it arrives or not, the connection ends here.
            _ = try? StreamSocket.send(bytes, to: descriptor)
        }
    }
}
