import CLinux

/// Gives the kernel back the memory that has been freed: after a burst of work, in a process that then idles for hours.
///
/// Takes about a millisecond; allocations of other threads wait meanwhile.
package func returnFreeMemory() {
    linux_return_free_memory()
}

/// Has blocks of 256 KiB and more go back to the kernel when they are freed, for the life of the process.
///
/// For a daemon, at its start: one burst of large messages does not make it larger for good.
package func boundFreeMemory() {
    linux_bound_free_memory()
}
