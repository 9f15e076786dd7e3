import TestSupport
import Testing

/// Returns the text that Python's XML parser finds in each piece of markup. A piece with an element fails.
func textInMarkup(_ pieces: [String]) throws -> [String] {
    let folder = try TemporaryFolder()
    let file = try folder.write("<l>" + pieces.map { "<f>\($0)</f>" }.joined() + "</l>", to: "markup.xml")
    let reader = """
        import sys, xml.etree.ElementTree as tree
        for f in tree.parse(sys.argv[1]).getroot():
            assert len(f) == 0
            sys.stdout.buffer.write((f.text or "").encode() + bytes(1))
        """
    let result = try ChildProcess.run(try #require(SystemPython.path), ["-c", reader, file])
    try #require(result.ending == .exited(0), "\(result.errors.prefix(500))")
    return parts(of: result.output)
}

/// Returns the texts before each NUL.
func parts(of output: String) -> [String] {
    output.split(separator: "\0", omittingEmptySubsequences: false).dropLast().map(String.init)
}
