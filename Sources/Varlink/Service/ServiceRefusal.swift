import Unix

/// The reply to a client if there are too many.
///
/// The connection stays open until the first call, because other clients write first and then read the reply. The
/// number of such connections and their time are limited.
enum ServiceRefusal {
    /// The maximum time until the first call.
    static let patience = Duration.seconds(5)

    /// Writes the reply as far as the socket takes it.
    static func send(_ refusal: EncodedReply, to socket: borrowing Descriptor) {
        let descriptor = socket.rawValue
        refusal.frame.withUnsafeBytes { bytes in
            // The connection ends, even if the reply is not complete.
            _ = try? StreamSocket.send(bytes, to: descriptor)
        }
    }
}
