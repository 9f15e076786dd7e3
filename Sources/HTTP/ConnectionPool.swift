import CCurl
import Unix

/// Open connections and running transfers. Owns a multi handle of libcurl.
///
/// libcurl names the descriptors and the time that it waits for, and the event loop waits for them. Without transfers,
/// there is neither a watch nor a timer: libcurl checks an idle connection before its next use. Confined to the loop's
/// thread.
final class ConnectionPool {
    private let multi: UnsafeMutableRawPointer
    private let loop: EventLoop
    private let finished: (Transfer.ID, CURLcode) -> Void
    private var transfers: [UnsafeMutableRawPointer: Transfer] = [:]
    private var watches: [curl_socket_t: EventLoop.Watch] = [:]
    private var timer: TimerQueue.Token?

    private static let maxIdleConnections = 8
    private static let initialized: CURLcode = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

    /// A pool that calls `finished` for each transfer that ended by itself, on the loop, outside of libcurl's callbacks.
    init(
        for url: String, loop: EventLoop, finished: @escaping (Transfer.ID, CURLcode) -> Void
    ) throws(HTTPError) {
        guard Self.initialized == CURLE_OK, let multi = curl_multi_init() else {
            throw HTTPError(.outOfResources, url, "libcurl does not start")
        }
        (self.multi, self.loop, self.finished) = (multi, loop, finished)
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
            ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, Self.maxIdleConnections),
        ]
        if let code = codes.first(where: { $0 != CURLM_OK }) { throw failure(code, url) }
    }

    deinit {
        precondition(transfers.isEmpty, "a connection pool is freed before its transfers")
        // The cleanup would call them while this object is being freed.
        _ = ccurl_multi_set_socket_function(multi, nil)
        _ = ccurl_multi_set_timer_function(multi, nil)
        for watch in watches.values { loop.unwatch(watch) }
        loop.cancel(&timer)
        curl_multi_cleanup(multi)
    }

    /// True if the pool causes no wake-ups of the loop.
    var isIdle: Bool { transfers.isEmpty && watches.isEmpty && timer == nil }

    /// Begins a transfer. Its callbacks are called after the caller has returned to the loop.
    func add(_ transfer: Transfer) throws(HTTPError) {
        transfers[transfer.easy] = transfer
        let code = curl_multi_add_handle(multi, transfer.easy)
        if code == CURLM_OK { return }
        transfers[transfer.easy] = nil
        throw failure(code, transfer.request.location.redacted)
    }

    /// Ends a transfer, finished or not. Its connection stays open if it can be used again.
    func remove(_ transfer: Transfer) {
        guard transfers.removeValue(forKey: transfer.easy) != nil else { return }
        curl_multi_remove_handle(multi, transfer.easy)
    }

    // MARK: Waiting

    private func wait(for events: Int32, on descriptor: curl_socket_t, for easy: UnsafeMutableRawPointer?) {
        let interest: EventLoop.Readiness
        switch events {
        case CURL_POLL_IN: interest = .readable
        case CURL_POLL_OUT: interest = .writable
        case CURL_POLL_INOUT: interest = [.readable, .writable]
        default:
            return loop.unwatch(&watches[descriptor])
        }
        if let watch = watches[descriptor] { return loop.change(watch, to: interest) }
        do throws(SystemError) {
            watches[descriptor] = try loop.watch(descriptor, for: interest) { [weak self] readiness in
                self?.act(on: descriptor, readiness)
            }
        } catch {
            // An error returned to libcurl would end all transfers. This ends one, after libcurl has returned.
            guard let easy, let transfer = transfers[easy] else { return }
            transfer.stop(.outOfResources, "cannot watch the connection (\(error.reason))")
            loop.schedule(at: .now) { [weak self] in self?.finished(transfer.id, CURLE_ABORTED_BY_CALLBACK) }
        }
    }

    private func setTimer(_ milliseconds: Int) {
        loop.cancel(&timer)
        if milliseconds < 0 { return }
        timer = loop.schedule(at: .now.advanced(by: .milliseconds(milliseconds))) { [weak self] in
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
        // The errors of transfers are handled below.
        let code = curl_multi_socket_action(multi, descriptor, events, &running)
        reportFinished()
        if code != CURLM_OK { stopAll(code) }
    }

    /// Ends all transfers: without the multi handle, each would wait until its time limit.
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
