import Glibc

/// The result of a program that was run for its output.
package enum ProgramAnswer: Hashable, Sendable {
    /// The program has ended. The exit code is nil if a signal ended it.
    case ended(status: Int32?, output: String)
    /// The program exceeded a limit and was killed.
    case givenUp
}

extension ChildProgram {
    /// Runs the program, and returns its standard output, with its standard error if `withErrors` is true.
    ///
    /// A program that exceeds the time or the size is killed with its child processes.
    ///
    /// - Throws: `SystemError`, with ENOENT if there is no such program.
    package func answer(
        within time: Duration, atMost limit: Int = 1 << 16, withErrors: Bool = false
    ) throws(SystemError) -> ProgramAnswer {
        let limitInstant = BootInstant.now.advanced(by: time)
        let ends = try makePipe()
        let reader = Descriptor(owning: ends.reading)
        let writer = Descriptor(owning: ends.writing)
        var program = self
        program.output = .descriptor(writer.rawValue)
        if withErrors { program.errors = .descriptor(writer.rawValue) }
        // Its own process group, to be killed as a whole.
        program.leadsSession = true
        let child = try program.start()
        _ = consume writer
        let output = Self.all(from: reader.rawValue, until: limitInstant, atMost: limit)
        guard let output, let status = Self.ending(of: child, until: limitInstant) else {
            kill(-child, SIGKILL)
            _ = waitForEnd(of: child)
            return .givenUp
        }
        return .ended(status: status.exitCode, output: String(decoding: output, as: UTF8.self))
    }

    /// Nil if the end was not reached in time, or there is more output.
    private static func all(from descriptor: Int32, until end: BootInstant, atMost limit: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while bytes.count <= limit {
            guard (try? StreamSocket.wait(for: descriptor, events: POLLIN, until: end)) == true else { return nil }
            let count = read(descriptor, &piece, piece.count)
            if count == 0 { return bytes }
            if count < 0 && errno != EINTR { return nil }
            bytes += piece.prefix(max(0, count))
        }
        return nil
    }

    /// Most programs have ended when they close their output. Others are checked again.
    private static func ending(of child: Int32, until end: BootInstant) -> (exitCode: Int32?, Void)? {
        var status: Int32 = 0
        while true {
            let ended = waitpid(child, &status, WNOHANG)
            if ended == child { return (status & 0x7F == 0 ? status >> 8 & 0xFF : nil, ()) }
            if ended < 0 && errno != EINTR { return (nil, ()) }
            guard BootInstant.now < end else { return nil }
            poll(nil, 0, 5)
        }
    }
}
