import Glibc
import Unix

/// A client that only finds the end of a message: blocking calls, one buffer, no JSON.
final class RawConnection {
    let descriptor: Int32
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    /// The bytes of the last read, valid until the next one.
    private(set) var lastRead = UnsafeRawBufferPointer(start: nil, count: 0)

    init(to path: String) throws(SystemError) {
        descriptor = try retrying("make a socket") {
            socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        }
        // The timeout is longer than any measured call, so a benchmark fails instead of waiting forever.
        var timeout = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        let code = withUnixAddress(path) { connect(descriptor, $0, $1) }
        if code != 0 { throw SystemError("connect to", path, code: errno) }
    }

    deinit {
        close(descriptor)
        buffer.deallocate()
    }

    /// Returns the message of a call.
    static func call(_ method: String, parameters: String = "{}", more: Bool = false) -> [UInt8] {
        let flag = more ? #","more":true"# : ""
        return Array(#"{"method":"org.jokesd.Jokes.\#(method)","parameters":\#(parameters)\#(flag)}"#.utf8) + [0]
    }

    func send(_ bytes: [UInt8]) throws(SystemError) {
        var sent = 0
        while sent < bytes.count {
            sent += try retrying("send") {
                bytes.withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress! + sent, $0.count - sent, Int32(MSG_NOSIGNAL))
                }
            }
        }
    }

    /// Waits for this number of messages, and returns their bytes.
    @discardableResult
    func receive(messages: Int = 1) throws(SystemError) -> Int {
        var (ended, total) = (0, 0)
        while ended < messages {
            let bytes = try receiveSome()
            ended += Self.ends(in: bytes)
            total += bytes.count
        }
        return total
    }

    /// Waits for a message that contains the text.
    func receiveMessage(saying text: String) throws(SystemError) {
        while try !receiveMessage().withUnsafeBytes({ $0.contains(Array(text.utf8)) }) {}
    }

    /// Waits for one message, and returns it.
    func receiveMessage() throws(SystemError) -> [UInt8] {
        var message: [UInt8] = []
        while message.last != 0 { message += try receiveSome() }
        return message
    }

    /// Waits for data and reads once. The bytes are valid until the next read.
    func receiveSome() throws(SystemError) -> UnsafeRawBufferPointer {
        let count = try retrying("receive") { recv(descriptor, buffer.baseAddress, buffer.count, 0) }
        guard count > 0 else { throw SystemError("receive", "the end", code: EPIPE) }
        lastRead = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        return lastRead
    }

    /// The number of bytes that have arrived and are not read.
    var waitingBytes: Int {
        var count: Int32 = 0
        return ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
    }

    private static func ends(in bytes: UnsafeRawBufferPointer) -> Int {
        var count = 0
        var rest = bytes
        while let base = rest.baseAddress, let end = memchr(base, 0, rest.count) {
            count += 1
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(UnsafeRawPointer(end) - base + 1))
        }
        return count
    }
}

/// The time of the monotonic clock in microseconds.
func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
}

extension UnsafeRawBufferPointer {
    /// True if the buffer contains the bytes.
    func contains(_ bytes: [UInt8]) -> Bool {
        guard count >= bytes.count, let first = bytes.first else { return bytes.isEmpty }
        var start = 0
        while start <= count - bytes.count,
            let found = memchr(baseAddress! + start, Int32(first), count - bytes.count - start + 1)
        {
            if memcmp(found, bytes, bytes.count) == 0 { return true }
            start = UnsafeRawPointer(found) - baseAddress! + 1
        }
        return false
    }
}
