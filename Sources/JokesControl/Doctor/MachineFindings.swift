import JokesProtocol
import Unix

/// Whether the clock is kept in step, as the kernel was told. One that is not may be right all the same.
func timeSyncFinding(_ isSynchronized: Bool?) -> Wire.Finding {
    switch isSynchronized {
    case true?: Wire.Finding(.timeSync, .ok, "the clock is synchronized")
    case false?:
        Wire.Finding(
            .timeSync, .warning, "the clock is not synchronized",
            advice: "Install a package such as systemd-timesyncd, then: sudo timedatectl set-ntp true")
    case nil: Wire.Finding(.timeSync, .ok, "cannot determine if the clock is synchronized")
    }
}

/// What `jokesd --check-config` says where no daemon is there to be asked; nil where it cannot be run.
func configurationFinding(_ answer: ProgramAnswer?) -> Wire.Finding? {
    guard case .ended(let status?, let output)? = answer else { return nil }
    let lines = output.split(separator: "\n").map { $0.hasPrefix("jokesd: ") ? $0.dropFirst("jokesd: ".count) : $0 }
    guard let first = lines.first else { return nil }
    if status == 0 { return Wire.Finding(.configuration, .ok, String(first)) }
    return Wire.Finding(
        .configuration, .failed, phrase(String(first)),
        advice: "Fix the configuration: jokesd does not start with it. To check it: jokesd --check-config")
}
