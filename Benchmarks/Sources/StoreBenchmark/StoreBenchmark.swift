import Measuring

/// What the store does for people, with as many jokes in it as it is made for. See README.md.
@main
enum StoreBenchmark {
    static func main() async {
        await BenchmarkProgram.run(
            "StoreBenchmark", [SearchPart.self, StartPart.self, StarPart.self, MemoryPart.self, PicturePart.self])
    }
}
