import CLinux

/// Gives the kernel back the memory that has been freed: after a burst of work, in a process that then idles for hours.
///
/// Takes about a millisecond; allocations of other threads wait meanwhile.
package func returnFreeMemory() {
    linux_return_free_memory()
}
