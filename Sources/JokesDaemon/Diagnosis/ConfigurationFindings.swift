import JSON5
import JokesCore
import JokesProtocol
import Unix

/// Which configuration the daemon goes by, and how it came to it.
struct ConfigurationReading: Sendable {
    /// The file of `--config`.
    var option: String?
    var origin: Configuration.Origin
    var at = Timestamp.now
    /// Why the last reload was refused, in a sentence; nil where it was not.
    var refusal: String?
}

/// What is to be known of the configuration: that which is followed, and what would be read now.
struct ConfigurationFacts {
    var reading: ConfigurationReading
    /// What there is now in its place, or a sentence on why it cannot be used.
    var isSame: Result<Bool, ConfigurationMistake>
    /// What has the daemon read it again.
    var reload: String
    var now: Timestamp

    struct ConfigurationMistake: Error {
        var sentence: String
    }

    /// A mistake is told though nobody has asked to read it yet: the next start would end with it.
    var finding: Wire.Finding {
        let age = TimeInWords.ago(reading.at, now: now)
        let read = "\(reading.origin), read \(age)"
        let refused = reading.refusal.map { "; last reload failed: \(phrase(firstLine($0)))" } ?? ""
        switch isSame {
        case .success(true):
            // What was refused may have been mended since by going back, or was refused for the storage's sake.
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

    /// The command that has the daemon read its configuration again.
    var reloadCommand: String {
        OwnUnit.ofThisProcess(prefix: "jokesd")?.command("reload") ?? "kill -HUP \(processID())"
    }
}

/// Of several mistakes the first is enough to go on with.
func firstLine(_ text: String) -> String {
    text.split(separator: "\n").first.map(String.init) ?? text
}
