import Glibc
import JokesCore
import JokesProtocol
import JokesStore
import Unix
import Varlink

/// The methods `Probe`, `TestSource` and `Configuration`.
extension Daemon {
    func probe(_ call: Call<ProbeMethod>) throws {
        // For another user, the daemon would read files and reach servers that this user cannot.
        if call.parameters.needsTrust && ![0, geteuid()].contains(call.peer.uid) {
            throw JokesError.sourceFailed(
                reason: "only root and the user of the daemon can add files, headers and the local network",
                hint: "Use sudo, or ask the administrator to add the source to the configuration.")
        }
        let states = try reader.sourceStates()
        let cached = views.counts.sources.keys.map { ($0, states[$0]?.requestSignature ?? "") }
        let names = SourceDraft.Names(
            configured: Set(configuration.sources.map(\.name)), cached: Dictionary(uniqueKeysWithValues: cached))
        try syncs.probe(call, try SourceDraft(call.parameters, names), configuration.filter)
    }

    func testSource(_ call: Call<TestSourceMethod>) throws {
        let name = call.parameters.name
        guard let source = syncs.planner.configuration(of: name) else {
            throw syncs.errorOfUnconfigured(name)
        }
        try syncs.test(call, source, configuration.filter)
    }

    var configurationFile: ConfigurationMethod.Reply {
        let (path, exists) = Configuration.fileToEdit(
            option: options.configurationPath, environment: environmentVariables(),
            isSystemDaemon: OwnUnit.ofThisProcess(prefix: "jokesd")?.isOfUser == false)
        return ConfigurationMethod.Reply(
            path: path, exists: exists, defaultSources: Configuration.defaultSourcesText)
    }
}
