// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nobody who uses Diffable builds its benchmarks. Plain -O, no unsafe flags: what is
// measured is what a user of the library gets.

let package = Package(
    name: "Benchmarks",
    dependencies: [
        // The name is for clones in a folder of another name.
        .package(name: "jokesd", path: "..")
    ],
    targets: [
        .target(name: "CHeapCount"),
        .executableTarget(
            name: "EngineBenchmark", dependencies: ["CHeapCount", .product(name: "Diffable", package: "jokesd")]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.name != "CHeapCount" {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .treatAllWarnings(as: .error),
    ]
}
