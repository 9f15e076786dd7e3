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
