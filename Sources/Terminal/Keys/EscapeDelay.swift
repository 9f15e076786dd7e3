/// Milliseconds after which an escape is the key, and not the start of another key's sequence: as the variable ESCDELAY
/// says, which ncurses programs share, for those whose keys come over a slow line.
package func escapeDelay(_ variable: String?) -> Int32 {
    guard let delay = variable.flatMap({ Int32($0) }), delay >= 0 else { return 50 }
    return delay
}
