/// The control sequence OSC 52, which copies a text to the clipboard. A terminal may be configured to ignore it.
package func clipboardCommand(_ text: String) -> String { "\u{1B}]52;c;\(base64(Array(text.utf8)))\u{7}" }

/// RFC 4648, 4.
private func base64(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
        let group = bytes[start...].prefix(3)
        let bits = (group + [0, 0]).prefix(3).reduce(0) { $0 << 8 | Int($1) }
        for position in 0..<4 {
            text.append(position <= group.count ? digits[bits >> (18 - 6 * position) & 63] : "=")
        }
    }
    return text
}

/// The reason why the clipboard cannot be used.
package enum ClipboardRefusal: Hashable, Sendable {
    /// The Linux console.
    case console
    /// GNU screen, which does not pass the sequence on.
    case screen
    /// GNU screen, or tmux with TERM=screen.
    case screenOrTmux
    /// A terminal that is not similar to xterm.
    case otherKind

    /// Nil if the sequence may be written. If the value of TERM is ambiguous, the variables of tmux and screen decide.
    package init?(type: String, hasMouse: Bool, environment: (String) -> String?) {
        func isSet(_ name: String) -> Bool { environment(name)?.isEmpty == false }
        switch type {
        case _ where type == "linux" || type.hasPrefix("linux-"): self = .console
        case _ where type.hasPrefix("screen"):
            switch (isSet("TMUX"), isSet("STY") || type.hasPrefix("screen.")) {
            case (true, false): return nil
            case (false, true): self = .screen
            case (true, true), (false, false): self = .screenOrTmux
            }
        case _ where hasMouse: return nil
        default: self = .otherKind
        }
    }
}
