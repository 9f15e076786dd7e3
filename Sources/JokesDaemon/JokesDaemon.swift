import CommandLineTools
import Glibc
import JSON5
import JokesCore
import JokesStore
import Unix

/// The program jokesd: reads its options and its configuration, and runs the daemon.
package enum JokesDaemon {
    /// Runs the program to its end, and returns 0 or a `DaemonFailure.ExitCode`. Writes failures to standard error.
    ///
    /// The arguments do not include the name of the program.
    package static func run(_ arguments: [String]) -> Int32 {
        do {
            if let words = optionCompletion(arguments, DaemonOptions.all) {
                try writeFully(words, to: standardOutput)
                return 0
            }
            return try perform(try DaemonOptions(arguments))
        } catch let error as UsageError {
            return report(DaemonFailure(.usage, error.description, hint: "Try: jokesd --help"))
        } catch let error as DaemonFailure {
            return report(error)
        } catch let error as StoreError {
            return report(DaemonFailure(error))
        } catch let error as SystemError where error.code == brokenPipe {
            // The reader of the output, such as head, has closed the pipe.
            return 0
        } catch {
            return report(DaemonFailure(.internalError, "\(error)"))
        }
    }

    /// Reports a failure in the log, to the service manager, and to clients that wait for the daemon.
    private static func report(_ failure: DaemonFailure) -> Int32 {
        let log = Log(level: .error)
        log.error(failure.message)
        if let hint = failure.hint { log.error(hint) }
        FailedStart.reply(with: failure)
        return failure.exitCode.rawValue
    }

    private static func perform(_ options: DaemonOptions) throws -> Int32 {
        limitFreeMemory()
        ignoreBrokenPipes()
        reserveStandardDescriptors()
        // Without a session, root starts the system daemon, even if root has a session elsewhere.
        if geteuid() != 0 { findRuntimeFolder() }
        switch options.mode {
        case .printHelp: try writeFully(DaemonOptions.help + "\n", to: standardOutput)
        case .printVersion: try writeFully("jokesd \(jokesdVersion)\n", to: standardOutput)
        case .checkConfiguration:
            let loaded = try loadConfiguration(options)
            let sources = counted(loaded.configuration.sources.count, "source")
            try writeFully("\(loaded.origin): valid, \(sources)\n", to: standardOutput)
        case .syncOnce, .serve:
            // Throws if the loop of the actor cannot be created.
            _ = try ServiceActor.loop()
            return try ServiceActor.assumeIsolated {
                if options.mode == .syncOnce { return try SyncOnceRun(options).run() }
                try Daemon(options, serves: true).run()
                return 0
            }
        }
        return 0
    }

    /// Reads the configuration that the options choose, and converts errors to `DaemonFailure`.
    static func loadConfiguration(
        _ options: DaemonOptions
    ) throws(DaemonFailure) -> (configuration: Configuration, origin: String) {
        do {
            return try Configuration.load(option: options.configurationPath, environment: environmentVariables())
        } catch {
            let hint: String? =
                switch error {
                case .unreadable(let reason) where reason.code == EACCES:
                    "Let the user of jokesd read it: chmod a+r on the file, and chmod a+rx on its folder."
                case .unreadable: "Use another file: jokesd --config FILE"
                case .invalid where options.mode == .checkConfiguration: nil
                case .invalid(let file, _): "Fix the file, then run: jokesd --check-config --config \(file)"
                }
            throw DaemonFailure(.configuration, error.description, hint: hint)
        }
    }
}
