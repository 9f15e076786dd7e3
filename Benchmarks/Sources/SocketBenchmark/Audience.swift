import CLinux
import Glibc
import Unix

/// Many connections that receive the same messages, read by one thread as they become ready.
final class Audience {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let members: [RawConnection]
    private let epoll: Int32
    private var events = [epoll_event](repeating: epoll_event(), count: 512)

    /// Makes this number of connections. If there is a call, each sends it and waits for the first message.
    init(_ count: Int, at socket: String, call: [UInt8]? = nil) throws {
        epoll = try retrying("make an epoll instance") { epoll_create1(Int32(EPOLL_CLOEXEC)) }
        members = try (0..<count).map { _ in
            let member = try RawConnection(to: socket)
            if let call {
                try member.send(call)
                try member.receive()
            }
            return member
        }
        for (number, member) in members.enumerated() { try add(member.descriptor, UInt64(number)) }
    }

    deinit {
        close(epoll)
    }

    private func add(_ descriptor: Int32, _ number: UInt64) throws(SystemError) {
        var event = epoll_event()
        event.events = EPOLLIN.rawValue
        event.data.u64 = number
        try retrying("watch") { epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) }
    }

    /// Reads until each connection has received a whole message that satisfies the predicate. Returns the number of
    /// bytes of each connection.
    ///
    /// The predicate gets the bytes of one read.
    func receiveEach(where isIt: (UnsafeRawBufferPointer) -> Bool = { _ in true }) throws -> [Int] {
        var bytes = [Int](repeating: 0, count: members.count)
        var hasCome = [Bool](repeating: false, count: members.count)
        var left = members.count
        while left > 0 {
            let count = try retrying("wait") { epoll_wait(epoll, &events, Int32(events.count), 10_000) }
            guard count > 0 else { throw Failure(description: "\(left) of \(members.count) received nothing in 10 s") }
            for event in events[..<Int(count)] {
                let number = Int(event.data.u64)
                let read = try members[number].receiveSome()
                bytes[number] += read.count
                if hasCome[number] || !isIt(read) { continue }
                // Most messages arrive in one read.
                if read[read.count - 1] != 0 { bytes[number] += try members[number].receive() }
                hasCome[number] = true
                left -= 1
            }
        }
        return bytes
    }

    /// Reads and drops all data that has arrived.
    func readAway() throws {
        for member in members {
            while member.waitingBytes > 0 { _ = try member.receiveSome() }
        }
    }
}
