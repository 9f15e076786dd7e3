#if FUZZING
    /// Called by libFuzzer with its bytes. `scripts/fuzz` builds the program.
    @_cdecl("LLVMFuzzerTestOneInput")
    public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
        do {
            try checkDocument(Array(UnsafeBufferPointer(start: bytes, count: count)))
        } catch {
            // libFuzzer saves bytes that stop the program.
            fatalError("\(error)")
        }
        return 0
    }
#endif
