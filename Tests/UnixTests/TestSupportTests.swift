import Glibc
import TestSupport
import Testing

@Suite struct TestSupportTests {
    @Test("a temporary folder goes with its last owner, and all in it")
    func removal() throws {
        var folder: TemporaryFolder? = try TemporaryFolder()
        let path = folder!.path
        try folder?.write("x", to: "file")
        #expect(mkdir("\(path)/below", 0o700) == 0)
        try folder?.write("x", to: "below/file")
        #expect(access("\(path)/below/file", F_OK) == 0)
        folder = nil
        #expect(access(path, F_OK) != 0)
    }

    @Test("a mailbox gives what another thread puts, in order, and gives up at the deadline")
    func mailbox() throws {
        let mailbox = try Mailbox<Int>()
        mailbox.put(1)
        mailbox.put(2)
        #expect(try mailbox.take() == 1)
        #expect(mailbox.takeAll() == [2])
        #expect(throws: DeadlinePassed.self) { try mailbox.take("never", Deadline(after: .milliseconds(1))) }
    }

    @Test("waiting for what never holds ends at the deadline, naming the claim")
    func deadline() async {
        await #expect(throws: DeadlinePassed.self) {
            try await waitUntil("pigs fly", Deadline(after: .milliseconds(5))) { false }
        }
    }
}
