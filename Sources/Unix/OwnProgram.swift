import Glibc

/// The file of the program that runs; nil where the kernel does not tell.
package func ownProgram() -> String? {
    var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = target.withUnsafeMutableBytes { bytes in
        readlink("/proc/self/exe", bytes.baseAddress!.assumingMemoryBound(to: CChar.self), bytes.count)
    }
    return count > 0 ? String(decoding: target.prefix(count), as: UTF8.self) : nil
}
