// swift-tools-version: 6.2
import PackageDescription

let diffable = Target.Dependency.product(name: "Diffable", package: "jokesd")

let package = Package(
    name: "Examples",
    // A program of your own needs a version: .package(url: "<URL of this repository>", from: "1.0.0")
    // The name is for clones in a folder of another name.
    dependencies: [.package(name: "jokesd", path: "..")],
    targets: [
        .executableTarget(name: "notes", dependencies: [diffable]),
        .executableTarget(name: "counties", dependencies: [diffable]),
        .executableTarget(name: "blackjack", dependencies: [diffable, "PlainHTTP"]),
        .executableTarget(name: "processes", dependencies: ["CCurses", diffable]),
        .systemLibrary(name: "CCurses"),
        .target(name: "PlainHTTP"),
        .executableTarget(name: "deck-server"),
        .testTarget(
            name: "ExamplesTests", dependencies: ["notes", "counties", "blackjack", "deck-server", "processes"]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .treatAllWarnings(as: .error),
    ]
}
