import CProcessors
package import Unix

/// Some of the machine's processors.
package struct ProcessorSet {
    /// The kernel's, the lowest first.
    package let numbers: [Int32]

    /// These alone.
    package init(_ numbers: Int32...) {
        self.numbers = numbers
    }

    /// Those on which the calling thread may run.
    package init() throws(SystemError) {
        var numbers = [Int32](repeating: 0, count: 1024)
        let count = processors_of_this_thread(&numbers, Int32(numbers.count))
        if count < 0 { throw SystemError("ask for", "the processors of this thread") }
        self.numbers = Array(numbers.prefix(Int(count)))
    }

    /// Has a thread run on these and no others from here on.
    ///
    /// - Parameter thread: By the kernel's number, which for the first thread of a process is that of the process; nil
    ///   for the calling one.
    /// - Throws: where the kernel refuses it: no such thread, none of the processors there, another user's.
    package func hold(_ thread: Int32? = nil) throws(SystemError) {
        if processors_hold(thread ?? 0, numbers, Int32(numbers.count)) != 0 {
            throw SystemError("choose", "the processors of thread \(thread ?? 0)")
        }
    }
}
