import CLinux
import Glibc

/// Raises the limit of open descriptors if the hard limit allows it. Returns the limit.
///
/// The default soft limit of 1024 is for select(2), which is not used here.
package func raiseDescriptorLimit(to wanted: Int) -> Int {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    // Cannot fail: the resource exists.
    getrlimit(resource, &limit)
    let goal = min(rlim_t(wanted), limit.rlim_max)
    if limit.rlim_cur < goal {
        limit.rlim_cur = goal
        setrlimit(resource, &limit)
        getrlimit(resource, &limit)
    }
    return Int(clamping: limit.rlim_cur)
}

/// Returns freed memory to the kernel, after work in a process that may then be idle for hours.
///
/// Takes about a millisecond, during which other threads cannot allocate.
package func returnFreeMemory() {
    linux_return_free_memory()
}

/// Lets blocks of 256 KiB and more return to the kernel when they are freed.
///
/// To be called at the start of a daemon, so that large messages do not increase its memory permanently.
package func boundFreeMemory() {
    linux_bound_free_memory()
}
