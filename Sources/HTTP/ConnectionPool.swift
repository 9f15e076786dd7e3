import CCurl
import Unix

/// The one owner of a multi handle of libcurl: connections, kept open between transfers, and what they wait for.
///
/// libcurl names the descriptors and the moment it waits for, the event loop waits, and libcurl is told what came. With
/// no transfer under way there is neither a watch nor a timer: a connection that the other side closes meanwhile is
/// noticed when it is to be used again. Used on the loop's thread alone.
final class ConnectionPool {
    private let multi: UnsafeMutableRawPointer
    private let loop: EventLoop
    private let finished: (Transfer.ID, CURLcode) -> Void
    private let paused: (Transfer.ID) -> Void
    private var transfers: [UnsafeMutableRawPointer: Transfer] = [:]
    private var watches: [curl_socket_t: EventLoop.Watch] = [:]
    private var timer: TimerQueue.Token?

    private static let initialized: CURLcode = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

    /// A pool that calls `finished` for each transfer that ended by itself, and `paused` for each that has paused. Both are
    /// called on the loop, outside of libcurl's callbacks.
    ///
    /// - Throws: `HTTPError` where libcurl has no memory for one.
    init(
        for url: String, loop: EventLoop, idleConnections: Int,
        paused: @escaping (Transfer.ID) -> Void, finished: @escaping (Transfer.ID, CURLcode) -> Void
    ) throws(HTTPError) {
        guard Self.initialized == CURLE_OK, let multi = curl_multi_init() else {
            throw HTTPError(.outOfResources, url, "libcurl does not start")
        }
        self.multi = multi
        self.loop = loop
        self.finished = finished
        self.paused = paused
        let context = Unmanaged.passUnretained(self).toOpaque()
        let codes = [
            ccurl_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, context),
            ccurl_multi_set_socket_function(multi) { easy, descriptor, events, context, _ in
                pool(context).wait(for: events, on: descriptor, for: easy)
                return 0
            },
            ccurl_multi_set_pointer(multi, CURLMOPT_TIMERDATA, context),
            ccurl_multi_set_timer_function(multi) { _, milliseconds, context in
                pool(context).setTimer(milliseconds)
                return 0
            },
            ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, idleConnections),
        ]
        if let code = codes.first(where: { $0 != CURLM_OK }) { throw failure(code, url) }
    }

    deinit {
        precondition(transfers.isEmpty, "a connection pool goes before its transfers")
        // Closing connections may still announce descriptors, to an object that goes away.
        _ = ccurl_multi_set_socket_function(multi, nil)
        _ = ccurl_multi_set_timer_function(multi, nil)
        for watch in watches.values { loop.unwatch(watch) }
        if let timer { loop.cancel(timer) }
        curl_multi_cleanup(multi)
    }

    /// True where nothing will wake the loop for this pool's sake.
    var isIdle: Bool {
        transfers.isEmpty && watches.isEmpty && timer == nil
    }

    /// Begins a transfer; nothing of it happens before the caller returns to the loop.
    func add(_ transfer: Transfer) throws(HTTPError) {
        transfers[transfer.easy] = transfer
        let code = curl_multi_add_handle(multi, transfer.easy)
        if code != CURLM_OK {
            transfers[transfer.easy] = nil
            throw failure(code, transfer.order.location.redacted)
        }
    }

    /// Ends a transfer, finished or not: its connection is kept where it is clean, and closed otherwise.
    func remove(_ transfer: Transfer) {
        // Fails only for a handle that is not in, which the dictionary rules out.
        guard transfers.removeValue(forKey: transfer.easy) != nil else { return }
        curl_multi_remove_handle(multi, transfer.easy)
    }

    // MARK: What libcurl waits for

    private func wait(for events: Int32, on descriptor: curl_socket_t, for easy: UnsafeMutableRawPointer?) {
        let interest: EventLoop.Readiness
        switch events {
        case CURL_POLL_IN: interest = .readable
        case CURL_POLL_OUT: interest = .writable
        case CURL_POLL_INOUT: interest = [.readable, .writable]
        default:
            if let watch = watches.removeValue(forKey: descriptor) { loop.unwatch(watch) }
            return
        }
        do throws(SystemError) {
            if let watch = watches[descriptor] {
                try loop.change(watch, to: interest)
            } else {
                watches[descriptor] = try loop.watch(descriptor, for: interest) { [weak self] readiness in
                    self?.act(on: descriptor, readiness)
                }
            }
        } catch {
            // An error returned to libcurl would end every transfer; this ends the one, once libcurl has returned.
            guard let easy, let transfer = transfers[easy] else { return }
            transfer.stop(.outOfResources, "cannot watch the connection (\(error.reason))")
            loop.schedule(at: .now) { [weak self] in self?.finished(transfer.id, CURLE_ABORTED_BY_CALLBACK) }
        }
    }

    private func setTimer(_ milliseconds: Int) {
        if let timer { loop.cancel(timer) }
        timer =
            milliseconds < 0
            ? nil
            : loop.schedule(at: .now.advanced(by: .milliseconds(milliseconds))) { [weak self] in
                self?.timer = nil
                self?.act(on: CURL_SOCKET_TIMEOUT, [])
            }
    }

    private func act(on descriptor: curl_socket_t, _ readiness: EventLoop.Readiness) {
        var events: Int32 = 0
        if readiness.contains(.readable) { events |= CURL_CSELECT_IN }
        if readiness.contains(.writable) { events |= CURL_CSELECT_OUT }
        if !readiness.isDisjoint(with: .failed) { events |= CURL_CSELECT_ERR }
        var running: Int32 = 0
        // What fails in one transfer is told by that one, below.
        let code = curl_multi_socket_action(multi, descriptor, events, &running)
        for transfer in transfers.values where transfer.takePause() { paused(transfer.id) }
        reportFinished()
        if code != CURLM_OK { stopAll(code) }
    }

    /// Ends all transfers: what was to become of them is lost, and none would hear of it before its time is up.
    private func stopAll(_ code: CURLMcode) {
        for transfer in Array(transfers.values) {
            transfer.stop(.outOfResources, "libcurl: \(String(cString: curl_multi_strerror(code)))")
            finished(transfer.id, CURLE_ABORTED_BY_CALLBACK)
        }
    }

    private func reportFinished() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let transfer = transfers[message.pointee.easy_handle] else {
                continue
            }
            finished(transfer.id, ccurl_message_result(message))
        }
    }

    private func failure(_ code: CURLMcode, _ url: String) -> HTTPError {
        HTTPError(.outOfResources, url, "libcurl: \(String(cString: curl_multi_strerror(code)))")
    }
}

private func pool(_ context: UnsafeMutableRawPointer?) -> ConnectionPool {
    Unmanaged<ConnectionPool>.fromOpaque(context!).takeUnretainedValue()
}
