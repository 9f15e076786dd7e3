import CLinux

/// Whether something keeps the wall clock in step, as the kernel was told; nil where it does not say.
package func isClockSynchronized() -> Bool? {
    let answer = linux_clock_is_synchronized()
    return answer < 0 ? nil : answer == 1
}
