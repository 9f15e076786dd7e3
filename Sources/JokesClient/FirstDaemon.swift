package import Varlink

/// A connection to the first of the addresses where a daemon answers, for programs that ask and wait.
///
/// A daemon may be too busy to take it for so long. Throws `VarlinkError` of the first address, where none answers: that is
/// where one was expected.
package func connectToFirst(
    of addresses: [String], within time: Duration
) throws(VarlinkError) -> VarlinkClient {
    var first: VarlinkError?
    for address in addresses {
        do throws(VarlinkError) {
            return try VarlinkClient(connectingTo: address, timeout: time)
        } catch {
            first = first ?? error
        }
    }
    throw first ?? .disconnected
}
