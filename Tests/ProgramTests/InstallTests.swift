import Glibc
import TestSupport
import Testing
import Unix

/// `make install` and `make uninstall`, with the programs as built for tests.
@Suite struct InstallTests {
    private let folder: TemporaryFolder
    private var tree: String { folder.path("tree") }

    init() throws {
        folder = try TemporaryFolder()
    }

    private static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }

    private func make(_ target: String, _ variables: [String] = []) throws -> ChildProcess.Result {
        let built = ["jokesd", "jokesctl", "jokes-tui"].map { builtProgram($0) }.joined(separator: " ")
        let words = ["-C", Self.root, target, "DESTDIR=\(tree)", "built=\(built)", "STRIPPED=no"] + variables
        // A STRIP in the environment is for the tools of a package, such as those of Nix and conda.
        let environment = ["PATH": "/usr/bin:/bin", "HOME": "/home/ann", "STRIP": "no-such-program"]
        let result = try ChildProcess.run("/usr/bin/make", words, environment: environment)
        try #require(result.ending == .exited(0), "\(result)")
        return result
    }

    /// Returns the paths of the entries in the tree.
    private func find(_ type: String) throws -> [String] {
        let result = try ChildProcess.run("/usr/bin/find", [tree, "-type", type, "-printf", "/%P\\n"])
        return result.output.split(separator: "\n").map(String.init).sorted()
    }

    private func text(_ path: String) throws -> String {
        String(decoding: try contentsOfFile("\(tree)\(path)", limit: 1 << 20), as: UTF8.self)
    }

    @Test(
        "make install installs all files with the paths of the prefix, and make uninstall removes them",
        arguments: ["/usr/local", "/opt/fun", "/usr"])
    func places(prefix: String) throws {
        _ = try make("install", ["PREFIX=\(prefix)"])
        let files = try find("f")
        let expected = [
            "bin/jokesctl", "bin/jokesd", "bin/jokes-tui", "lib/systemd/user/jokesd.service",
            "lib/systemd/user/jokes-notify.service", "lib/systemd/user/jokes-notify.timer",
            "lib/systemd/system/jokesd.socket", "lib/sysusers.d/jokesd.conf", "share/man/man1/jokesctl.1",
            "share/man/man7/jokesd-protocol.7", "share/bash-completion/completions/jokesctl",
            "share/bash-completion/completions/jokesd", "share/bash-completion/completions/jokes-tui",
            "share/fish/vendor_completions.d/jokesd.fish", "share/fish/vendor_completions.d/jokes-tui.fish",
            "share/zsh/site-functions/_jokesctl", "share/fish/vendor_completions.d/jokesctl.fish",
            "share/varlink/org.jokesd.Jokes.varlink", "share/doc/jokesd/config.example.json",
            "share/doc/jokesd/examples/jokes_watch.py", "share/licenses/jokesd/LICENSE",
            "share/licenses/jokesd/copyright",
        ]
        for file in expected { #expect(files.contains("\(prefix)/\(file)"), "\(file)") }
        #expect(try text("\(prefix)/lib/systemd/system/jokesd.service").contains("ExecStart=\(prefix)/bin/jokesd\n"))
        #expect(
            try text("\(prefix)/lib/systemd/user/jokes-notify.service").contains(
                "ExecStart=\(prefix)/bin/jokesctl random --notify\n"))
        #expect(
            try text("\(prefix)/share/man/man5/jokesd.json.5").contains(
                "\(prefix)/share/doc/jokesd/config.example.json"))
        let modes = try ChildProcess.run("/usr/bin/find", [tree, "-type", "f", "-printf", "%m %P\\n"]).output
        for line in modes.split(separator: "\n") {
            #expect(line.hasPrefix(line.contains("/bin/") ? "755 " : "644 "), "\(line)")
        }
        // The programs work, and no placeholder is left.
        #expect(try make("check-install", ["PREFIX=\(prefix)"]).output.contains("The installed programs work."))
        #expect(
            try ChildProcess.run("\(tree)\(prefix)/bin/jokesctl", ["completions", "fish"]).output
                == text("\(prefix)/share/fish/vendor_completions.d/jokesctl.fish"))
        _ = try make("uninstall", ["PREFIX=\(prefix)"])
        #expect(try find("f").isEmpty)
        let common = ["", "/bin", "/lib", "/share", "/share/man"].map { prefix + $0 }
        let above = ["/", prefix.split(separator: "/").count > 1 ? "/" + prefix.split(separator: "/")[0] : "/"]
        #expect(try find("d") == Set(above + common).sorted(), "only the folders that Debian has in /usr/local")
        _ = try make("uninstall", ["PREFIX=\(prefix)"])
    }

    @Test("each folder can be changed, and user and system units have different folders, as Debian requires")
    func folders() throws {
        let variables = [
            "PREFIX=/usr", "systemunitdir=/lib/systemd/system", "zshcompletiondir=/usr/share/zsh/vendor-completions",
        ]
        _ = try make("install", variables)
        let files = try find("f")
        for file in [
            "/lib/systemd/system/jokesd.service", "/usr/lib/systemd/user/jokesd.service",
            "/usr/share/zsh/vendor-completions/_jokesctl",
        ] { #expect(files.contains(file), "\(file)") }
        #expect(!files.contains { $0.hasPrefix("/usr/lib/systemd/system/") || $0.contains("/site-functions/") })
        _ = try make("uninstall", variables)
        #expect(try find("f").isEmpty)
    }

    @Test("each file that an installed page links to is installed too", arguments: ["/usr/local", "/opt/fun"])
    func links(prefix: String) throws {
        _ = try make("install", ["PREFIX=\(prefix)"])
        let files = Set(try find("f"))
        let documents = "\(prefix)/share/doc/jokesd/"
        let pages = files.filter { $0.hasSuffix(".md") }
        #expect(pages.count >= 6)
        for page in pages {
            for link in try text(page).matches(of: /\]\(([^)#]+)(?:#[^)]*)?\)/) where !link.1.contains("://") {
                let place = link.1.hasPrefix("/") ? String(link.1) : documents + link.1
                #expect(files.contains(place), "\(page) links to \(link.1)")
            }
        }
    }

    @Test(
        "below the home folder, the user's units are where systemd looks, and there are none of the system",
        arguments: [("/home/ann/.local", "/home/ann/.local/share"), ("/home/ann/jokes", "/home/ann/.config")])
    func home(prefix: String, units: String) throws {
        _ = try make("install", ["PREFIX=\(prefix)"])
        let files = try find("f")
        #expect(files.contains("\(units)/systemd/user/jokesd.service"))
        #expect(!files.contains { $0.contains("sysusers") || $0.contains("/system/") || $0.contains("/lib/") })
        _ = try make("uninstall", ["PREFIX=\(prefix)"])
        #expect(try find("f").isEmpty)
    }

    @Test("files of others in the same folders stay, and so do their folders and other empty folders")
    func others() throws {
        let theirs = ["lib/systemd/user", "share/man/man1", "share/varlink/deeper"].map { "/usr/local/\($0)" }
        let empty = ["lib/other", "share/zsh/functions"].map { "/usr/local/\($0)" }
        _ = try ChildProcess.run("/usr/bin/mkdir", ["-p"] + (theirs + empty).map { tree + $0 })
        for place in theirs { try folder.write("theirs", to: "tree\(place)/other") }
        _ = try make("install")
        _ = try make("uninstall")
        #expect(try find("f") == theirs.map { "\($0)/other" })
        let folders = [
            "bin", "lib", "lib/other", "lib/systemd", "lib/systemd/user", "share", "share/man", "share/man/man1",
            "share/varlink", "share/varlink/deeper", "share/zsh", "share/zsh/functions",
        ]
        #expect(try find("d") == ["/", "/usr", "/usr/local"] + folders.map { "/usr/local/\($0)" })
    }
}
