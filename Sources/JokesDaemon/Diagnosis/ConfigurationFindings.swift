import JSON5
import JokesCore
import JokesProtocol
import Unix

/// Where the configuration in use was read.
struct ConfigurationReading: Sendable {
    /// The file of `--config`.
    var option: String?
    var origin: Configuration.Origin
    var at = Timestamp.now
    /// Why the last reload was refused; nil if it succeeded.
    var refusal: String?
}

/// The facts about the configuration in use, and about the one that a reload would read.
struct ConfigurationFacts {
    var reading: ConfigurationReading
    /// Whether a reload would read the same configuration, or why it would fail.
    var isSame: Result<Bool, ConfigurationMistake>
    /// The command that reloads it.
    var reload: String
    var now: Timestamp

    struct ConfigurationMistake: Error {
        var sentence: String
    }

    /// A mistake is reported before a reload: the next start would fail.
    var finding: Wire.Finding {
        let age = TimeInWords.ago(reading.at, now: now)
        let read = "\(reading.origin), read \(age)"
        let refused = reading.refusal.map { "; last reload failed: \(phrase(firstLine($0)))" } ?? ""
        switch isSame {
        case .success(true):
            // A refused reload does not matter any more: the file was restored, or only the storage had failed.
            return Wire.Finding(.configuration, .ok, read)
        case .success(false):
            return Wire.Finding(
                .configuration, .warning,
                "the configuration has changed since jokesd read it; in use: \(read)\(refused)",
                advice: "Reload it: \(reload)")
        case .failure(let mistake):
            return Wire.Finding(
                .configuration, .failed,
                "\(phrase(mistake.sentence)); jokesd still uses the configuration that it read \(age)",
                advice: "Fix the file, check it with jokesd --check-config, then run: \(reload)")
        }
    }
}

extension Daemon {
    var configurationFacts: ConfigurationFacts {
        let isSame: Result<Bool, ConfigurationFacts.ConfigurationMistake>
        do {
            let loaded = try Configuration.load(option: reading.option, environment: wholeEnvironment())
            isSame = .success(loaded.configuration == configuration && loaded.origin == reading.origin)
        } catch {
            isSame = .failure(.init(sentence: firstLine(error.description)))
        }
        return ConfigurationFacts(
            reading: reading, isSame: isSame, reload: reloadCommand, now: .now)
    }

    /// The command that makes the daemon reload its configuration.
    var reloadCommand: String {
        OwnUnit.ofThisProcess(prefix: "jokesd")?.command("reload") ?? "kill -HUP \(processID())"
    }
}

/// Returns the first line of a text.
func firstLine(_ text: String) -> String {
    text.split(separator: "\n").first.map(String.init) ?? text
}
