import Glibc
import JokesCore
import JokesProtocol
import JokesStore
import Unix
import Varlink

/// The methods `Probe`, `TestSource` and `Configuration`.
extension Daemon {
    func probe(_ call: VarlinkCall<ProbeMethod.Parameters, ProbeMethod.Reply>) throws {
        // For another user, the daemon would send requests to servers that this user cannot reach.
        if call.parameters.allowLocalNetwork == true && ![0, geteuid()].contains(call.peer.uid) {
            throw ErrorReply(
                JokesError.sourceFailed(
                    reason: "only root and the user of the daemon can probe the local network",
                    hint: "Use sudo, or ask the administrator to add the source to the configuration."))
        }
        if let name = call.parameters.name, syncs.planner.configuration(of: name) == nil,
            views.counts.sources[name] != nil
        {
            // The cached jokes would count as jokes of the new source, and get its safety default.
            throw ErrorReply(
                JokesError.sourceFailed(
                    reason: "the cache has jokes of an earlier source with the name '\(name)'",
                    hint: "Use another name, or remove them: jokesctl forget \(name)"))
        }
        let draft = try SourceDraft(call.parameters) { [self] name in
            syncs.planner.configuration(of: name) != nil || views.counts.sources[name] != nil
        }
        try probes.probe(call, draft, configuration.filter)
    }

    func testSource(_ call: VarlinkCall<TestSourceMethod.Parameters, TestSourceMethod.Reply>) throws {
        let name = call.parameters.name
        guard let source = syncs.planner.configuration(of: name) else {
            throw syncs.errorOfUnconfigured(name)
        }
        try probes.test(call, source, configuration.filter)
    }

    var configurationFile: ConfigurationMethod.Reply {
        let (path, exists) = Configuration.fileToEdit(
            option: options.configurationPath, environment: environmentVariables(),
            isSystemDaemon: OwnUnit.ofThisProcess(prefix: "jokesd")?.isOfUser == false)
        return ConfigurationMethod.Reply(
            path: path, exists: exists, defaultSources: Configuration.defaultSourcesText)
    }
}
