import Measuring

/// Measures what users wait for, with a full store. See README.md.
@main
enum StoreBenchmark {
    static func main() async {
        await BenchmarkProgram.run(
            "StoreBenchmark",
            [
                SearchPart.self, StartPart.self, StarPart.self, MemoryPart.self, SnapshotPart.self, GrowthPart.self,
            ])
    }
}
