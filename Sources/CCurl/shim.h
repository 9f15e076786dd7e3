// libcurl, with wrappers that give its variadic functions the argument types that Swift needs.
//
// Each function takes the options of one argument type. The caller must use the type in the manual page of the option.
// The parentheses around the names avoid curl's macros of the same names.
#pragma once
#include <curl/curl.h>
#include <locale.h>

#if LIBCURL_VERSION_NUM < 0x075800
#error "libcurl 7.88 or later is needed, for CURLOPT_QUICK_EXIT and CURLU_PUNYCODE"
#endif

static inline CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
    return (curl_easy_setopt)(easy, option, value);
}

static inline CURLcode ccurl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return (curl_easy_setopt)(easy, option, value);
}

static inline CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return (curl_easy_setopt)(easy, option, value);
}

/// curl copies the text.
static inline CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *value) {
    return (curl_easy_setopt)(easy, option, value);
}

/// For CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION.
static inline CURLcode ccurl_set_write_function(CURL *easy, CURLoption option, curl_write_callback function) {
    return (curl_easy_setopt)(easy, option, function);
}

/// For CURLOPT_OPENSOCKETFUNCTION.
static inline CURLcode ccurl_set_open_socket_function(CURL *easy, curl_opensocket_callback function) {
    return (curl_easy_setopt)(easy, CURLOPT_OPENSOCKETFUNCTION, function);
}

static inline CURLcode ccurl_get_long(CURL *easy, CURLINFO info, long *value) {
    return (curl_easy_getinfo)(easy, info, value);
}

static inline CURLcode ccurl_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
    return (curl_easy_getinfo)(easy, info, value);
}

/// Shares cookies between transfers of one thread.
static inline CURLSHcode ccurl_share_cookies(CURLSH *share) {
    return (curl_share_setopt)(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_COOKIE);
}

/// Returns the host in punycode. libcurl converts a name from the charset of the locale, and the C locale has only ASCII.
static inline CURLUcode ccurl_url_get_punycode(CURLU *url, char **host) {
    locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    locale_t before = utf8 ? uselocale(utf8) : (locale_t)0;
    CURLUcode code = curl_url_get(url, CURLUPART_HOST, host, CURLU_PUNYCODE);
    if (utf8) {
        uselocale(before);
        freelocale(utf8);
    }
    return code;
}

static inline CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return (curl_multi_setopt)(multi, option, value);
}

static inline CURLMcode ccurl_multi_set_pointer(CURLM *multi, CURLMoption option, void *value) {
    return (curl_multi_setopt)(multi, option, value);
}

static inline CURLMcode ccurl_multi_set_socket_function(CURLM *multi, curl_socket_callback function) {
    return (curl_multi_setopt)(multi, CURLMOPT_SOCKETFUNCTION, function);
}

static inline CURLMcode ccurl_multi_set_timer_function(CURLM *multi, curl_multi_timer_callback function) {
    return (curl_multi_setopt)(multi, CURLMOPT_TIMERFUNCTION, function);
}

/// The result of a message of the kind CURLMSG_DONE. Swift does not import the union.
static inline CURLcode ccurl_message_result(const CURLMsg *message) {
    return message->data.result;
}
