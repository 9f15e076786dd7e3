// swift-tools-version: 6.2
import PackageDescription

/// The Makefile asks for a static jokesctl, which starts faster (docs/decisions/0015). SwiftPM has no safe setting for this
/// flag, and does not accept unsafe ones in dependencies, so it is unset otherwise.
let staticExecutable: [LinkerSetting] =
    Context.environment["JOKESD_STATIC"] == "yes"
    ? [.unsafeFlags(["-static-executable"], .when(configuration: .release))] : []

// The layers of docs/architecture.md, the lowest first. `make lint` compares the dependencies with the table in that
// document.

let system: [Target] = [
    // Without pkg-config, which would print warnings in each package that depends on this one, even on Diffable alone.
    .systemLibrary(name: "CSQLite"), .systemLibrary(name: "CCurl"), .systemLibrary(name: "CNcurses"),
    .systemLibrary(name: "CZlib"), .target(name: "CLinux"),
]

let foundations: [Target] = [
    .target(name: "Diffable"),
    .target(name: "DiffableOutlines", dependencies: ["Diffable"]),
    .target(name: "Unix", dependencies: ["CLinux"]),
    .target(name: "TextLayout"),
    .target(name: "CommandLineTools", dependencies: ["TextLayout", "Unix"]),
    .target(name: "JSON5", dependencies: ["TextLayout", "Unix"]),
    .target(name: "JSON"),
    .target(name: "Varlink", dependencies: ["JSON", "Unix"]),
    .target(name: "SQLite", dependencies: ["CSQLite"]),
    .target(name: "HTTP", dependencies: ["CCurl", "CZlib", "Unix"]),
    .target(name: "Terminal", dependencies: ["CLinux", "CNcurses", "TextLayout", "Unix"]),
]

let domain: [Target] = [
    .target(
        name: "JokesCore", dependencies: ["Diffable", "JSON", "TextLayout"],
        resources: [.embedInCode("Normalizing/HTML/character-references.txt")]),
    .target(
        name: "JokesProtocol", dependencies: ["Diffable", "JokesCore"],
        // The interface as tools and other clients read it: what is described is what is compiled in.
        resources: [.embedInCode("org.jokesd.Jokes.varlink")]),
    .target(name: "JokesExchange", dependencies: ["JSON", "JokesCore"]),
]

let services: [Target] = [
    .target(name: "JokesStore", dependencies: ["JSON", "JokesCore", "JokesExchange", "SQLite", "Unix"]),
    .target(name: "JokesSources", dependencies: ["HTTP", "JSON", "JokesCore", "JokesExchange", "Unix"]),
    .target(
        name: "JokesClient",
        dependencies: ["Diffable", "JokesCore", "JokesProtocol", "TextLayout", "Unix", "Varlink"]),
]

let applications: [Target] = [
    .target(
        name: "JokesDaemon",
        dependencies: [
            "CommandLineTools", "Diffable", "HTTP", "JSON", "JSON5", "JokesCore", "JokesProtocol", "JokesSources",
            "JokesStore", "TextLayout", "Unix", "Varlink",
        ],
        // A link to the file at the top: the configuration that is documented is the one that is compiled in.
        resources: [.embedInCode("Configuration/config.example.json")]),
    .target(
        name: "JokesControl",
        dependencies: [
            "CommandLineTools", "Diffable", "JSON", "JSON5", "JokesClient", "JokesCore", "JokesExchange",
            "JokesProtocol", "TextLayout", "Unix", "Varlink",
        ],
        // The completion scripts that `make install` installs.
        resources: [
            .embedInCode("Completions/jokesctl.bash"), .embedInCode("Completions/jokesctl.zsh"),
            .embedInCode("Completions/jokesctl.fish"),
        ]),
    .target(
        name: "JokesScreen",
        dependencies: [
            "CommandLineTools", "Diffable", "JSON", "JSON5", "JokesClient", "JokesCore", "JokesProtocol", "Terminal",
            "TextLayout", "Unix",
        ]),
]

let programs: [Target] = [
    .executableTarget(name: "jokesd", dependencies: ["JokesDaemon"]),
    .executableTarget(name: "jokesctl", dependencies: ["JokesControl"], linkerSettings: staticExecutable),
    .executableTarget(name: "jokes-tui", dependencies: ["JokesScreen"]),
]

let tests: [Target] = [
    .target(name: "SanitizerSettings", path: "Tests/SanitizerSettings"),
    .target(name: "CCurlFaults", dependencies: ["CCurl"], path: "Tests/CCurlFaults"),
    .target(name: "CFaultVFS", dependencies: ["CSQLite"], path: "Tests/CFaultVFS"),
    .target(name: "TestSupport", dependencies: ["Unix"], path: "Tests/TestSupport"),
    .target(
        name: "TerminalSupport", dependencies: ["Terminal", "TestSupport", "TextLayout", "Unix"],
        path: "Tests/TerminalSupport"),
    .target(name: "StorageFaults", dependencies: ["CFaultVFS", "CSQLite"], path: "Tests/StorageFaults"),
    .target(
        name: "KillTorture",
        dependencies: [
            "JokesClient", "JokesCore", "JokesProtocol", "JokesSources", "JokesStore", "SQLite", "TestSupport", "Unix",
            "jokesd",
        ],
        path: "Tests/KillTorture"),
    .executableTarget(name: "Torture", dependencies: ["KillTorture"], path: "Tests/Torture"),
    .target(
        name: "DiffableFuzz", dependencies: ["Diffable", "DiffableOutlines"], path: "Tests/DiffableFuzz",
        exclude: ["Corpus"]),
    .target(
        name: "VarlinkFuzz", dependencies: ["JSON", "Unix", "Varlink"], path: "Tests/VarlinkFuzz", exclude: ["Corpus"]),
    .target(
        name: "DocumentFuzz", dependencies: ["JSON", "JokesCore", "JokesExchange"], path: "Tests/DocumentFuzz"),
    .testTarget(
        name: "DiffableTests", dependencies: ["Diffable", "DiffableFuzz", "DiffableOutlines", "TestSupport"]),
    .testTarget(name: "JSONTests", dependencies: ["JSON", "TestSupport"]),
    .testTarget(name: "JSON5Tests", dependencies: ["JSON5", "TestSupport"]),
    .testTarget(name: "CommandLineToolsTests", dependencies: ["CommandLineTools", "TestSupport"]),
    .testTarget(name: "UnixTests", dependencies: ["TestSupport", "Unix"]),
    .testTarget(name: "VarlinkTests", dependencies: ["TestSupport", "Unix", "Varlink", "VarlinkFuzz"]),
    .testTarget(name: "SQLiteTests", dependencies: ["SQLite", "StorageFaults", "TestSupport"]),
    .testTarget(name: "HTTPTests", dependencies: ["CCurlFaults", "HTTP", "TestSupport", "Unix"]),
    .testTarget(
        name: "TerminalTests",
        dependencies: ["SanitizerSettings", "Terminal", "TerminalSupport", "TestSupport", "TextLayout", "Unix"]),
    .testTarget(name: "TextLayoutTests", dependencies: ["TestSupport", "TextLayout"]),
    .testTarget(
        name: "JokesCoreTests", dependencies: ["Diffable", "JokesCore", "TestSupport"],
        exclude: ["Normalizing/fingerprints.txt", "Normalizing/letters.txt"]),
    .testTarget(
        name: "JokesProtocolTests", dependencies: ["Diffable", "JokesCore", "JokesProtocol", "TestSupport", "Varlink"]),
    .testTarget(name: "JokesExchangeTests", dependencies: ["JokesCore", "JokesExchange", "TestSupport"]),
    .testTarget(
        name: "JokesStoreTests",
        dependencies: [
            "CSQLite", "JokesCore", "JokesExchange", "JokesStore", "SQLite", "StorageFaults", "TestSupport", "Unix",
        ]),
    .testTarget(
        name: "JokesSourcesTests",
        dependencies: [
            "DocumentFuzz", "HTTP", "JSON", "JokesCore", "JokesExchange", "JokesSources", "TestSupport", "Unix",
        ],
        exclude: ["Feeds/Cases"]),
    .testTarget(
        name: "JokesDaemonTests",
        dependencies: [
            "Diffable", "JSON", "JSON5", "JokesClient", "JokesCore", "JokesDaemon", "JokesProtocol", "JokesStore",
            "TestSupport", "Unix", "Varlink",
        ]),
    .testTarget(
        name: "JokesClientTests",
        dependencies: ["Diffable", "JokesClient", "JokesCore", "JokesProtocol", "TestSupport", "Unix", "Varlink"]),
    .testTarget(
        name: "JokesScreenTests",
        dependencies: [
            "Diffable", "JSON5", "JokesCore", "JokesProtocol", "JokesScreen", "Terminal", "TerminalSupport",
            "TestSupport", "TextLayout", "Unix",
        ],
        exclude: ["Screens"]),
    .testTarget(
        name: "JokesControlTests",
        dependencies: [
            "CommandLineTools", "Diffable", "JokesControl", "JokesCore", "JokesProtocol", "TestSupport", "TextLayout",
            "Unix",
        ]),
    .testTarget(
        name: "ProgramTests",
        dependencies: [
            "Diffable", "JSON", "JokesClient", "JokesControl", "JokesCore", "JokesProtocol", "KillTorture", "SQLite",
            "Terminal", "TestSupport", "TextLayout", "Unix", "Varlink", "jokesd", "jokesctl", "jokes-tui",
        ],
        exclude: ["Fixtures"]),
]

// Measured from within, where the parts are; those that measure a library product are a package of their own.
let benchmarks: [Target] = [
    .target(name: "CProcessors", path: "Benchmarks/Sources/CProcessors"),
    .executableTarget(
        name: "IngestBenchmark",
        dependencies: ["HTTP", "JokeCorpus", "JokesCore", "JokesSources", "JokesStore", "Measuring", "Unix"],
        path: "Benchmarks/Sources/IngestBenchmark"),
    .target(name: "JokeCorpus", dependencies: ["Unix"], path: "Benchmarks/Sources/JokeCorpus"),
    .executableTarget(
        name: "LoadBenchmark",
        dependencies: ["JokesClient", "JokesCore", "JokesProtocol", "Measuring", "TestSupport", "Unix"],
        path: "Benchmarks/Sources/LoadBenchmark"),
    .target(
        name: "Measuring",
        dependencies: [
            "CProcessors", "JokeCorpus", "JokesClient", "JokesCore", "JokesStore", "SQLite", "TestSupport", "Unix",
        ],
        path: "Benchmarks/Sources/Measuring"),
    .executableTarget(
        name: "SocketBenchmark",
        dependencies: [
            "CLinux", "JokesClient", "JokesCore", "JokesProtocol", "Measuring", "TestSupport", "Unix", "Varlink",
        ],
        path: "Benchmarks/Sources/SocketBenchmark"),
    .executableTarget(
        name: "StoreBenchmark",
        dependencies: [
            "JokeCorpus", "JokesClient", "JokesCore", "JokesProtocol", "JokesStore", "Measuring", "SQLite",
            "TestSupport",
            "Unix",
        ],
        path: "Benchmarks/Sources/StoreBenchmark"),
    .executableTarget(
        name: "ViewerBenchmark",
        dependencies: [
            "JokesClient", "JokesCore", "JokesProtocol", "Measuring", "Terminal", "TestSupport", "TextLayout",
        ],
        path: "Benchmarks/Sources/ViewerBenchmark"),
]

let package = Package(
    name: "jokesd",
    products: [
        .library(name: "Diffable", targets: ["Diffable"]),
        .library(name: "DiffableOutlines", targets: ["DiffableOutlines"]),
        .library(name: "Varlink", targets: ["Varlink"]),
        .executable(name: "jokesd", targets: ["jokesd"]),
        .executable(name: "jokesctl", targets: ["jokesctl"]),
        .executable(name: "jokes-tui", targets: ["jokes-tui"]),
    ],
    targets: system + foundations + domain + services + applications + programs + tests + benchmarks,
    swiftLanguageModes: [.v6]
)

let cTargets = ["CCurlFaults", "CFaultVFS", "CLinux", "CProcessors", "SanitizerSettings"]
for target in package.targets where target.type != .system && !cTargets.contains(target.name) {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .treatAllWarnings(as: .error),
    ]
}
