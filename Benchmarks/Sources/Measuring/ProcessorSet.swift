import CProcessors
package import Unix

/// A set of processors of the machine.
package struct ProcessorSet {
    /// The numbers of the processors in the kernel, in ascending order.
    package let numbers: [Int32]

    /// Makes a set of these processors.
    package init(_ numbers: Int32...) {
        self.numbers = numbers
    }

    /// Makes the set of processors on which the calling thread may run.
    package init() throws(SystemError) {
        var numbers = [Int32](repeating: 0, count: 1024)
        let count = processors_of_this_thread(&numbers, Int32(numbers.count))
        if count < 0 { throw SystemError("get", "the processors of this thread") }
        self.numbers = Array(numbers.prefix(Int(count)))
    }

    /// Limits a thread to these processors from now on.
    ///
    /// - Parameter thread: The ID of the thread in the kernel, which is the process ID for the first thread of a
    ///   process; nil for the calling thread.
    /// - Throws: `SystemError` if the thread does not exist or belongs to another user, or if the machine has none of
    ///   the processors.
    package func hold(_ thread: Int32? = nil) throws(SystemError) {
        if processors_hold(thread ?? 0, numbers, Int32(numbers.count)) != 0 {
            throw SystemError("set", "the processors of thread \(thread ?? 0)")
        }
    }
}
