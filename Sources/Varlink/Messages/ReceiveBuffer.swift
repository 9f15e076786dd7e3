import Unix

/// A buffer for reads of all connections, so idle connections need none.
struct ReceiveBuffer {
    private var bytes: [UInt8]

    init(byteCount: Int) {
        bytes = [UInt8](repeating: 0, count: byteCount)
    }

    /// Reads once from the socket.
    mutating func receive(
        from descriptor: Int32, into reader: inout FrameReader
    ) throws(SystemError) -> StreamSocket.Transfer {
        let result: Result<StreamSocket.Transfer, SystemError> = bytes.withUnsafeMutableBytes { buffer in
            do throws(SystemError) {
                let transfer = try StreamSocket.receive(from: descriptor, into: buffer)
                if case .moved(let count) = transfer {
                    reader.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                }
                return .success(transfer)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Reads once from a service that has calls to answer.
    ///
    /// - Throws: `VarlinkError.disconnected` at the end of the connection, `.system`.
    mutating func receiveReplies(from descriptor: Int32, into reader: inout FrameReader) throws(VarlinkError) {
        let transfer: StreamSocket.Transfer
        do throws(SystemError) {
            transfer = try receive(from: descriptor, into: &reader)
        } catch {
            throw VarlinkError(error)
        }
        if transfer == .ended { throw .disconnected }
    }
}
