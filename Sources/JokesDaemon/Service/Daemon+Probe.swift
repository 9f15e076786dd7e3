import JokesCore
import JokesProtocol
import JokesStore
import Unix
import Varlink

/// The replies to the methods about new sources and the configuration.
extension Daemon {
    func probe(_ call: VarlinkCall<ProbeMethod.Parameters, ProbeMethod.Reply>) throws {
        let draft = try SourceDraft(call.parameters) { [self] name in
            syncs.planner.configuration(of: name) != nil || views.counts.sources[name] != nil
        }
        try probes.probe(call, draft, configuration.filter)
    }

    func testSource(_ call: VarlinkCall<TestSourceMethod.Parameters, TestSourceMethod.Reply>) throws {
        let name = call.parameters.name
        guard let source = syncs.planner.configuration(of: name) else {
            throw ErrorReply(JokesError.noSuchSource(name: name))
        }
        try probes.test(call, source, configuration.filter)
    }

    var configurationPlace: ConfigurationMethod.Reply {
        let (path, exists) = Configuration.place(
            option: options.configurationPath, environment: environmentVariables(),
            isSystemDaemon: OwnUnit.ofThisProcess(prefix: "jokesd")?.isOfUser == false)
        return ConfigurationMethod.Reply(
            path: path, exists: exists, defaultSources: Configuration.defaultSourcesText)
    }
}
