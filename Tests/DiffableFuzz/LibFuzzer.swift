/// What libFuzzer calls with bytes it made up. `scripts/fuzz` builds the program around it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    do {
        try holdDiffableProperties(for: Array(UnsafeBufferPointer(start: bytes, count: count)))
    } catch {
        // libFuzzer takes note of bytes that stop the program.
        fatalError("\(error)")
    }
    return 0
}
