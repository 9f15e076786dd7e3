import FoundationEssentials

/// The environment in which the figures are valid.
enum Machine {
    /// The processor, its cores, the compiler and the kinds of identifiers, on one line.
    static func line(ids: [String]) -> String {
        let process = ProcessInfo.processInfo
        let swift = process.environment["SWIFT_VERSION"].flatMap { $0.isEmpty ? nil : $0 } ?? "Swift of unknown version"
        return "\(processor), \(process.activeProcessorCount) cores, \(swift), -O, ids \(ids.joined(separator: ", "))"
    }

    private static var processor: String {
        let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let model = text.split(separator: "\n").first { $0.hasPrefix("model name") }?.split(separator: ": ").last
        return model.map(String.init) ?? "unknown processor"
    }
}
