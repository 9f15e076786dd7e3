import Glibc
import TestSupport
import Testing
import Unix

/// The results of jokesctl doctor about units, with a script as systemctl.
@Suite struct DoctorUnitTests {
    /// The properties of both units, and more of the service.
    struct Units: Sendable, CustomTestStringConvertible {
        var service: [String: String]
        var socket: [String: String]
        /// The expected unit, state, message and advice.
        var expected: (unit: String, state: String, words: String, advice: String?)

        init(
            service: [String: String] = [:], socket: [String: String] = [:],
            _ unit: String, _ state: String, _ words: String, _ advice: String? = nil
        ) {
            (self.service, self.socket) = (service, socket)
            expected = ("jokesd.\(unit)", state, words, advice)
        }

        var testDescription: String { "\(expected.state): \(expected.words)" }

        /// The output of systemctl.
        var text: String {
            func block(_ name: String, _ own: [String: String], _ given: [String: String]) -> String {
                let usual = ["Id": name, "LoadState": "loaded", "Result": "success"]
                return usual.merging(own) { $1 }.merging(given) { $1 }.map { "\($0)=\($1)\n" }.joined()
            }
            let own = ["ActiveState": "inactive", "SubState": "dead", "UnitFileState": "disabled"]
            let listening = ["ActiveState": "active", "SubState": "listening", "UnitFileState": "enabled"]
            return block("jokesd.service", own, service) + "\n" + block("jokesd.socket", listening, socket)
        }
    }

    private static let failed = ["ActiveState": "failed", "SubState": "failed", "Result": "exit-code"]

    static let table = [
        Units("socket", "ok", "listening, and enabled for the next login"),
        Units("service", "ok", "not running: the next request starts jokesd"),
        Units(service: ["ActiveState": "active", "SubState": "running"], "service", "ok", "active (running)"),
        Units(
            socket: ["UnitFileState": "disabled"], "socket", "warning", "listening, but not enabled for the next login",
            "systemctl --user enable --now jokesd.socket"),
        Units(
            socket: ["UnitFileState": "enabled-runtime"], "socket", "warning",
            "listening, but not enabled for the next login", "systemctl --user enable --now jokesd.socket"),
        Units(
            socket: ["UnitFileState": "linked"], "socket", "warning", "listening, but not enabled for the next login",
            "systemctl --user enable --now jokesd.socket"),
        Units(
            socket: ["UnitFileState": "disabled", "ActiveState": "inactive"], "socket", "failed",
            "installed, but not enabled", "systemctl --user enable --now jokesd.socket"),
        Units(
            socket: ["LoadState": "masked", "ActiveState": "inactive"], "socket", "failed",
            "systemd cannot load the unit: masked", "systemctl --user unmask jokesd.socket"),
        Units(
            service: ["LoadState": "bad-setting"], "service", "failed", "cannot load the unit: bad-setting",
            "systemctl --user status jokesd.service"),
        Units(
            service: failed.merging(["StatusText": "cannot start: /c.json:3: wrong: there is no such key"]) { $1 },
            "service", "failed", "failed (exit-code): /c.json:3: wrong: there is no such key",
            "See the log: journalctl --user -u jokesd; then: systemctl --user reset-failed jokesd.service jokesd.socket"
                + " && systemctl --user start jokesd.socket"),
        Units(
            socket: ["ActiveState": "failed", "Result": "trigger-limit-hit"], "socket", "failed",
            "failed (trigger-limit-hit)", "systemctl --user reset-failed"),
        Units(
            service: ["ActiveState": "activating", "SubState": "auto-restart", "Result": "exit-code"],
            "service", "failed", "failed (exit-code)", "See the log: "),
    ]

    /// Runs doctor with this systemctl and without a daemon.
    private func visit(systemctl script: String) throws -> DoctorVisit {
        let folder = try TemporaryFolder()
        let program = try folder.write("#!/bin/sh\n\(script)\n", to: "systemctl")
        try retrying("let it run", program) { chmod(program, 0o700) }
        return try DoctorVisit(
            [], environment: ["XDG_RUNTIME_DIR": folder.path, "PATH": "\(folder.path):/usr/bin:/bin"])
    }

    @Test("each state of a unit is reported with advice", arguments: table)
    func states(units: Units) throws {
        let folder = try TemporaryFolder()
        let answer = try folder.write(units.text, to: "answer")
        let visit = try visit(systemctl: #"case "$1" in --user) cat \#(answer);; *) exit 1;; esac"#)
        let found = visit["unit", of: units.expected.unit]
        #expect(found?.state == units.expected.state, "\(visit.checks)")
        #expect(found?.message.contains(units.expected.words) == true, "\(visit.checks)")
        if let advice = units.expected.advice {
            #expect(found?.advice?.contains(advice) == true, "\(visit.checks)")
        } else {
            #expect(found?.advice == nil)
        }
        #expect(visit.ending == .exited(69))
    }

    @Test("if both managers have the units, the one that uses them is reported, or else the user manager")
    func twoManagers() throws {
        let folder = try TemporaryFolder()
        let off = ["UnitFileState": "disabled", "ActiveState": "inactive"]
        let unused = try folder.write(Units(socket: off, "", "", "").text, to: "unused")
        let used = try folder.write(Units(service: Self.failed, "", "", "").text, to: "used")
        let system = try visit(systemctl: #"case "$1" in --user) cat \#(unused);; *) cat \#(used);; esac"#)
        #expect(system.checks.count { $0.check == "unit" } == 2)
        #expect(system["unit", of: "jokesd.service"]?.message.hasPrefix("failed") == true)
        #expect(system.checks.allSatisfy { $0.advice?.contains("systemctl --user") != true }, "\(system.checks)")
        let neither = try visit(systemctl: "cat \(unused)")
        #expect(neither.checks.count { $0.check == "unit" } == 2)
        #expect(neither["unit", of: "jokesd.socket"]?.advice == "systemctl --user enable --now jokesd.socket")
    }

    @Test("a removed socket file of a listening unit is reported with advice")
    func removedSocket() throws {
        let folder = try TemporaryFolder()
        let answer = try folder.write(Units("", "", "").text, to: "answer")
        let visit = try visit(systemctl: #"case "$1" in --user) cat \#(answer);; *) exit 1;; esac"#)
        #expect(visit["socket"]?.advice == "systemctl --user restart jokesd.socket jokesd.service")
    }

    @Test("missing units and a missing systemd have different results")
    func missing() throws {
        let unknown = ["jokesd.service", "jokesd.socket"].map {
            "Id=\($0)\nLoadState=not-found\nActiveState=inactive\n"
        }
        let without = try visit(systemctl: "echo '\(unknown.joined(separator: "\n"))'")
        #expect(without["unit"]?.message == "jokesd is not installed as a systemd unit")
        #expect(without["unit"]?.advice == "Install the units, then: systemctl --user enable --now jokesd.socket")
        #expect(without["socket"]?.advice == "Start the daemon: jokesd &")
        let booted = try visit(systemctl: "echo 'System has not been booted with systemd' >&2; exit 1")
        #expect(booted["unit"]?.message == "systemd does not manage jokesd here")
    }

    @Test(
        "a systemctl that hangs is killed with its children, and the other results are printed",
        .enabled(if: isSlowTier, "slow tier"),
        arguments: ["sleep 600; echo never", "exec >&-; exec sleep 600", "exec cat /dev/zero"])
    func hanging(script: String) throws {
        let visit = try visit(systemctl: script)
        #expect(visit["unit"]?.state == "warning")
        #expect(visit["unit"]?.message == "the user manager does not answer: systemctl timed out")
        #expect(visit["time-sync"] != nil && visit.ending == .exited(69))
    }
}
