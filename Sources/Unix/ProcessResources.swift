import CLinux
import Glibc

/// Lets this process have so many open descriptors, if it may have as many; returns how many it may have.
///
/// The soft limit is 1024 by tradition, for select(2), which nothing here uses; the hard one is what the administrator
/// means.
package func raiseDescriptorLimit(to wanted: Int) -> Int {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    // Cannot fail: the resource exists and the pointer is valid.
    getrlimit(resource, &limit)
    let goal = min(rlim_t(wanted), limit.rlim_max)
    if limit.rlim_cur < goal {
        limit.rlim_cur = goal
        setrlimit(resource, &limit)
        getrlimit(resource, &limit)
    }
    return Int(clamping: limit.rlim_cur)
}

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
