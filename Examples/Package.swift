// swift-tools-version: 6.2
import PackageDescription

let diffable = Target.Dependency.product(name: "Diffable", package: "jokesd")

let package = Package(
    name: "Examples",
    // A link to the folder above: SwiftPM knows a package on disk by the name of its folder, and a clone may have any.
    dependencies: [.package(path: "jokesd")],
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
