import Glibc

/// A value that only one thread at a time can access.
///
/// The lock is a pthread mutex, because the thread sanitizer does not see the futex of `Synchronization.Mutex` and
/// reports false races.
///
/// `@unchecked Sendable`: the value is accessed only under the mutex.
package final class Locked<Value>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    /// Signaled after each access.
    private let accessEnded: UnsafeMutablePointer<pthread_cond_t>
    private var value: Value

    package init(_ value: sending Value) {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        accessEnded = .allocate(capacity: 1)
        accessEnded.initialize(to: pthread_cond_t())
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(accessEnded, &attributes)
        pthread_condattr_destroy(&attributes)
        self.value = value
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
        pthread_cond_destroy(accessEnded)
        accessEnded.deallocate()
    }

    /// Runs the body with exclusive access to the value.
    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer {
            pthread_cond_broadcast(accessEnded)
            pthread_mutex_unlock(mutex)
        }
        return try body(&value)
    }

    /// Blocks the calling thread until the condition holds.
    ///
    /// The condition is checked under the mutex, at once and after each access.
    /// - Returns: False if the deadline passes first.
    package func wait(_ deadline: Deadline, until condition: (Value) throws -> Bool) rethrows -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while try !condition(value) {
            let left = deadline.milliseconds
            if left == 0 { return false }
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            time.tv_sec += Int(left / 1000)
            time.tv_nsec += Int(left % 1000) * 1_000_000
            if time.tv_nsec >= 1_000_000_000 {
                time.tv_sec += 1
                time.tv_nsec -= 1_000_000_000
            }
            pthread_cond_timedwait(accessEnded, mutex, &time)
        }
        return true
    }
}
