import CCurl
import Glibc

/// The cookies of a request and its redirects. Transfers retain the jar, because libcurl frees a share only after the handles
/// that use it.
final class CookieJar {
    let share: UnsafeMutableRawPointer

    /// The URL is for errors.
    init(for url: String) throws(HTTPError) {
        guard let share = curl_share_init() else { throw HTTPError(.outOfResources, url, "out of memory") }
        self.share = share
        if ccurl_share_cookies(share) != CURLSHE_OK { throw HTTPError(.outOfResources, url, "out of memory") }
    }

    deinit { curl_share_cleanup(share) }
}

/// A request to one URL, and what was received so far. Owns an easy handle of libcurl.
///
/// Its callbacks check the limits as bytes arrive, so bytes over a limit are never in memory.
final class Transfer {
    typealias ID = UInt64

    /// The request, after decisions about redirects and proxies.
    struct Request {
        let location: Location
        /// All fields to send, except for those of libcurl itself.
        let headers: HeaderFields
        let localAccess: LocalAccess
        let limits: HTTPRequest.Limits
        /// The URL of the proxy; nil for none.
        let proxy: String?
        /// The cookies of the redirects that led to this request. Those of its response are added.
        let cookies: CookieJar
        /// The path of a PEM file with certificate authorities; nil for those of libcurl.
        let caFile: String?
    }

    let id: ID
    let easy: UnsafeMutableRawPointer
    let request: Request
    private(set) var body: ResponseBody
    private let longBodies: LongBodies
    /// The reason for which the client stopped the transfer.
    private(set) var abortError: HTTPError?
    /// The reason for which the client did not try to connect to an address of the host.
    private(set) var addressError: HTTPError?
    /// True if the client tried to connect to an address of the host.
    private(set) var hasSocket = false
    /// True if the last header line was the empty one.
    private(set) var isHeadComplete = false
    private var headerBytes = 0
    private var fields: UnsafeMutablePointer<curl_slist>?
    private let errorText: UnsafeMutablePointer<CChar>

    /// - Throws: `HTTPError` if a header cannot be sent or libcurl is out of memory.
    init(id: ID, _ request: Request, _ longBodies: LongBodies) throws(HTTPError) {
        guard let easy = curl_easy_init() else {
            throw HTTPError(.outOfResources, request.location.redacted, "out of memory")
        }
        (self.id, self.easy, self.request, self.longBodies) = (id, easy, request, longBodies)
        body = ResponseBody(limit: request.limits.bodyBytes, of: request.location.redacted)
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        try setRequest()
        try setBounds()
        try setCallbacks()
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_slist_free_all(fields)
        errorText.deallocate()
    }

    /// Records why the client ends the transfer. Only the first reason counts.
    func stop(_ code: HTTPError.Code, _ cause: String) { stop(HTTPError(code, request.location.redacted, cause)) }

    private func stop(_ error: HTTPError) { abortError = abortError ?? error }

    /// Returns a number of libcurl about the transfer; 0 if it has none.
    func number(_ info: CURLINFO) -> Int {
        var value = 0
        _ = ccurl_get_long(easy, info, &value)
        return value
    }

    /// True if name resolution, connection, proxy and TLS handshake are complete.
    var isConnected: Bool {
        var microseconds: curl_off_t = 0
        _ = ccurl_get_offset(easy, CURLINFO_PRETRANSFER_TIME_T, &microseconds)
        return microseconds > 0
    }

    /// Returns the message of libcurl for this transfer, or else for the code.
    func words(for code: CURLcode) -> String {
        errorText.pointee == 0 ? String(cString: curl_easy_strerror(code)) : String(cString: errorText)
    }

    // MARK: Options

    private func setRequest() throws(HTTPError) {
        try set(CURLOPT_URL, request.location.text)
        try set(CURLOPT_PROTOCOLS_STR, request.location.scheme)
        // libcurl would refuse a Content-Encoding that it does not know, such as utf-8, so ResponseBody decodes.
        try set(CURLOPT_ACCEPT_ENCODING, "gzip")
        try set(CURLOPT_HTTP_CONTENT_DECODING, 0)
        // libcurl may still decompress a Transfer-Encoding. When a transfer pauses, it keeps what it has decompressed of one
        // buffer: at most a thousand times its size.
        try set(CURLOPT_BUFFERSIZE, 4096)
        try set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
        // With an empty text, libcurl does not read the environment.
        try set(CURLOPT_PROXY, request.proxy ?? "")
        try set(CURLOPT_NOPROXY, "")
        if let caFile = request.caFile { try set(CURLOPT_CAINFO, caFile) }
        try check(ccurl_set_pointer(easy, CURLOPT_SHARE, request.cookies.share))
        // This turns the cookies on, without a file.
        try set(CURLOPT_COOKIEFILE, "")
        for field in request.headers.fields {
            guard isToken(field.name), isSendable(field.value) else {
                throw HTTPError(
                    .invalidRequest, request.location.redacted, "header \(field.name) has an invalid name or value")
            }
            if field.name.lowercased() == "cookie" {
                // libcurl appends it to the cookies of redirects: a request has only one such header.
                try set(CURLOPT_COOKIE, field.value)
                continue
            }
            guard let longer = curl_slist_append(fields, "\(field.name): \(field.value)") else {
                throw HTTPError(.outOfResources, request.location.redacted, "out of memory")
            }
            fields = longer
        }
        try check(ccurl_set_pointer(easy, CURLOPT_HTTPHEADER, fields))
    }

    private func setBounds() throws(HTTPError) {
        try set(CURLOPT_CONNECTTIMEOUT_MS, Int(request.limits.connecting / .milliseconds(1)))
        try set(CURLOPT_LOW_SPEED_LIMIT, request.limits.slowestBytesPerSecond)
        try set(CURLOPT_LOW_SPEED_TIME, Int(request.limits.slowFor / .seconds(1)))
        try check(ccurl_set_offset(easy, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(request.limits.bodyBytes)))
        // libcurl leaves signals alone. Without QUICK_EXIT, the end of a transfer would wait for the resolver's thread.
        try set(CURLOPT_NOSIGNAL, 1)
        try set(CURLOPT_QUICK_EXIT, 1)
        try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    }

    private func setCallbacks() throws(HTTPError) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        try check(ccurl_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText))
        try check(ccurl_set_pointer(easy, CURLOPT_HEADERDATA, context))
        try check(
            ccurl_set_write_function(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
                transfer(context).receiveHeader(UnsafeRawBufferPointer(start: bytes, count: size * count))
            })
        try check(ccurl_set_pointer(easy, CURLOPT_WRITEDATA, context))
        try check(
            ccurl_set_write_function(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
                transfer(context).receiveBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
            })
        try check(ccurl_set_pointer(easy, CURLOPT_OPENSOCKETDATA, context))
        try check(
            ccurl_set_open_socket_function(easy) { context, _, address in transfer(context).openSocket(for: address!) })
    }

    private func set(_ option: CURLoption, _ value: Int) throws(HTTPError) {
        try check(ccurl_set_long(easy, option, value))
    }

    private func set(_ option: CURLoption, _ value: String) throws(HTTPError) {
        try check(ccurl_set_text(easy, option, value))
    }

    private func check(_ code: CURLcode) throws(HTTPError) {
        if code == CURLE_OK { return }
        throw HTTPError(.outOfResources, request.location.redacted, "libcurl: \(words(for: code))")
    }

    // MARK: Receiving

    private func receiveHeader(_ line: UnsafeRawBufferPointer) -> Int {
        headerBytes += line.count
        guard headerBytes <= request.limits.headerBytes else {
            stop(.tooLarge, "the headers are longer than \(request.limits.headerBytes) bytes")
            return Int(CURL_WRITEFUNC_ERROR)
        }
        isHeadComplete = line.elementsEqual("\r\n".utf8) || line.elementsEqual("\n".utf8)
        return line.count
    }

    private func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        do throws(HTTPError) {
            let isReceived = try body.receive(bytes, admit: { longBodies.admit(id) })
            return isReceived ? bytes.count : Int(CURL_WRITEFUNC_PAUSE)
        } catch {
            stop(error)
            return Int(CURL_WRITEFUNC_ERROR)
        }
    }

    /// The headers of the response, without those of interim responses (100, 103), proxies and trailers.
    var headers: HeaderFields {
        var headers = HeaderFields()
        var last: UnsafeMutablePointer<curl_header>?
        while let next = curl_easy_nextheader(easy, UInt32(CURLH_HEADER), -1, last) {
            headers.append(String(cString: next.pointee.name), String(cString: next.pointee.value))
            last = next
        }
        return headers
    }

    /// Removes the body from the transfer and returns it.
    func takeBody(_ headers: HeaderFields) throws(HTTPError) -> [UInt8] {
        let bytes = try body.finish()
        let coding = headers["Content-Encoding"]?.lowercased() ?? ""
        // The bytes are not text. These codings were not requested.
        if !bytes.isEmpty, ["br", "compress", "deflate", "zstd"].contains(coding) {
            throw HTTPError(.protocolViolation, request.location.redacted, "unexpected Content-Encoding")
        }
        return bytes
    }

    /// Resumes a paused transfer. Must not be called within a callback.
    func resume() {
        // Fails only for a handle that is not in use.
        curl_easy_pause(easy, CURLPAUSE_CONT)
    }

    /// Creates a socket for an address of the host, unless the request may not connect to it.
    private func openSocket(for address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        // A proxy connects to the host itself, and the user chose the address of the proxy.
        if request.proxy == nil {
            let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr)!
            let storage = UnsafeRawBufferPointer(
                start: UnsafeRawPointer(address) + offset, count: Int(address.pointee.addrlen))
            let refusal = NetworkAddress(socketAddress: storage).map {
                $0.refusal(request.localAccess, except: request.limits.allowedAddresses)
            }
            if let (code, reason) = refusal ?? (.addressRefused, "unknown address family") {
                return refuse(code, reason)
            }
        }
        let descriptor = socket(
            address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue), address.pointee.protocol)
        if descriptor < 0 { return refuse(.outOfResources, "cannot create a socket (error \(errno))") }
        hasSocket = true
        return descriptor
    }

    /// Refuses one address. libcurl continues with the next one.
    private func refuse(_ code: HTTPError.Code, _ cause: String) -> curl_socket_t {
        addressError = addressError ?? HTTPError(code, request.location.redacted, cause)
        return CURL_SOCKET_BAD
    }
}

private func transfer(_ context: UnsafeMutableRawPointer?) -> Transfer {
    Unmanaged<Transfer>.fromOpaque(context!).takeUnretainedValue()
}

/// Returns whether a header or a type may have the name (RFC 9110, 5.6.2).
func isToken(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.allSatisfy { (0x21...0x7e).contains($0) && !"()<>@,;:\\\"/[]?={}".utf8.contains($0) }
}
