import Measuring

/// Measures the viewer beside programs that show as much on the same terminal. See README.md.
@main
enum ViewerBenchmark {
    static func main() async {
        await BenchmarkProgram.run(
            "ViewerBenchmark",
            [FramePart.self, ScrollPart.self, KeyPart.self, ViewerIdlePart.self, ViewerMemoryPart.self])
    }
}
