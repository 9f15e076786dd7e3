import CCurl
import Unix

extension Transfer {
    /// Returns the response of a transfer that has ended with a code of libcurl.
    func response(
        _ code: CURLcode, requestValidators: Validators, permission: LongBodyPermission?
    ) throws(HTTPError) -> HTTPResponse {
        let url = request.location.redacted
        if code != CURLE_OK { throw failure(code) }
        let status = number(CURLINFO_RESPONSE_CODE)
        if status == 0 { throw HTTPError(.outOfResources, url, "libcurl did not report the status") }
        if status == 304 && requestValidators.isEmpty {
            throw HTTPError(.protocolViolation, url, "unexpected 304 response to an unconditional request")
        }
        let headers = self.headers
        let given = Validators(etag: headers["ETag"], lastModified: headers["Last-Modified"])
        return HTTPResponse(
            status: status, headers: headers, body: try takeBody(headers), permission: permission,
            url: request.location.text, redactedURL: url,
            validators: status == 304 ? given.replacing(requestValidators) : given)
    }

    private func failure(_ code: CURLcode) -> HTTPError {
        if let abortError { return abortError }
        // Some addresses may have been refused, but another was tried: then that failure is the reason.
        if code == CURLE_COULDNT_CONNECT, !hasSocket, let addressError { return addressError }
        let (kind, cause) = classify(code)
        return HTTPError(kind, request.location.redacted, cause)
    }

    private func classify(_ code: CURLcode) -> (HTTPError.Code, String) {
        let connectStatus = number(CURLINFO_HTTP_CONNECTCODE)
        if connectStatus != 0 && !(200..<300).contains(connectStatus) {
            return (.proxy, "the proxy returned \(connectStatus)")
        }
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST: return (.resolve, "cannot resolve \(request.location.host)")
        case CURLE_COULDNT_RESOLVE_PROXY: return (.proxy, "cannot resolve the proxy")
        case CURLE_PROXY: return (.proxy, "the proxy cannot connect (\(words(for: code)))")
        case CURLE_COULDNT_CONNECT:
            return request.proxy == nil
                ? (.connect, "cannot connect to \(request.location.host): \(connectReason)")
                : (.proxy, "cannot connect to the proxy: \(connectReason)")
        case CURLE_OPERATION_TIMEDOUT: return tooLate
        case CURLE_FILESIZE_EXCEEDED: return (.tooLarge, body.tooLarge.cause)
        case CURLE_SEND_ERROR, CURLE_RECV_ERROR:
            return (.connectionLost, "the connection was lost (\(words(for: code)))")
        case CURLE_PARTIAL_FILE: return (.connectionLost, "the response is incomplete")
        case CURLE_GOT_NOTHING: return (.connectionLost, "the connection was closed without a response")
        case CURLE_OUT_OF_MEMORY where isConnected && !isHeadComplete, Self.tooLongLine:
            // libcurl's own limit for a line.
            return (.tooLarge, "a header line is too long")
        case CURLE_OUT_OF_MEMORY, CURLE_FAILED_INIT: return (.outOfResources, "libcurl: \(words(for: code))")
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE:
            return (.tls, "TLS failed (\(words(for: code)))")
        default: return (.protocolViolation, "invalid response (\(words(for: code)))")
        }
    }

    /// CURLE_TOO_LARGE, which libcurl has since 8.6.
    private static let tooLongLine = CURLcode(rawValue: 100)

    /// libcurl has one code for two time limits. The total time is limited by a timer of the loop.
    private var tooLate: (HTTPError.Code, String) {
        if !isConnected { return (.connect, "no connection within \(request.limits.connecting)") }
        let limits = request.limits
        return (.tooSlow, "slower than \(limits.slowestBytesPerSecond) bytes per second for \(limits.slowFor)")
    }

    private var connectReason: String {
        let code = Int32(truncatingIfNeeded: number(CURLINFO_OS_ERRNO))
        return code == 0 ? words(for: CURLE_COULDNT_CONNECT) : SystemError("connect", code: code).reason
    }
}
