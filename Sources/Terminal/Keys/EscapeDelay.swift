/// Milliseconds after which an escape is the Escape key and not the start of a sequence, from the variable ESCDELAY of
/// ncurses.
package func escapeDelay(_ variable: String?) -> Int32 {
    guard let delay = variable.flatMap({ Int32($0) }), delay >= 0 else { return 50 }
    return delay
}
