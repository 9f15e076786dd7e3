#define _GNU_SOURCE
#include "CCurlFaults.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <stdarg.h>
#include <stddef.h>

// Macros that check the types of arguments, and stand in the way of definitions.
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt
#undef curl_share_setopt

static _Thread_local int64_t calls;
static _Thread_local int64_t first_to_fail;
static _Thread_local int goes_on;

void curl_faults_begin(int64_t number, int lasts) {
    calls = 0;
    first_to_fail = number;
    goes_on = lasts;
}

int64_t curl_faults_count(void) {
    return calls;
}

// Whether libcurl is at work: what it calls of itself is its own affair.
static _Thread_local int inside;

static int fails(void) {
    if (inside > 0) return 0;
    calls++;
    return first_to_fail > 0 && (calls == first_to_fail || (goes_on && calls > first_to_fail));
}

// Calls the function of the name in the libraries of this program.
#define FORWARD(name, ...)                                                            \
    __extension__({                                                                   \
        inside++;                                                                     \
        __auto_type result = ((__typeof__(&name))dlsym(RTLD_NEXT, #name))(__VA_ARGS__); \
        inside--;                                                                     \
        result;                                                                       \
    })

// MARK: Names

static _Thread_local struct curl_slist *resolved;

void curl_faults_resolve(const char *entry) {
    curl_slist_free_all(resolved);
    resolved = entry ? FORWARD(curl_slist_append, NULL, entry) : NULL;
}

// MARK: Transfers

CURL *curl_easy_init(void) {
    CURL *easy = fails() ? NULL : FORWARD(curl_easy_init);
    if (easy && resolved) (void)FORWARD(curl_easy_setopt, easy, CURLOPT_RESOLVE, resolved);
    return easy;
}

// What options take (numbers, pointers, offsets) is passed like a pointer on all 64-bit systems.
CURLcode curl_easy_setopt(CURL *easy, CURLoption option, ...) {
    va_list arguments;
    va_start(arguments, option);
    void *value = va_arg(arguments, void *);
    va_end(arguments);
    return fails() ? CURLE_OUT_OF_MEMORY : FORWARD(curl_easy_setopt, easy, option, value);
}

CURLcode curl_easy_getinfo(CURL *easy, CURLINFO info, ...) {
    va_list arguments;
    va_start(arguments, info);
    void *value = va_arg(arguments, void *);
    va_end(arguments);
    return fails() ? CURLE_OUT_OF_MEMORY : FORWARD(curl_easy_getinfo, easy, info, value);
}

CURLSH *curl_share_init(void) {
    return fails() ? NULL : FORWARD(curl_share_init);
}

CURLSHcode curl_share_setopt(CURLSH *share, CURLSHoption option, ...) {
    va_list arguments;
    va_start(arguments, option);
    void *value = va_arg(arguments, void *);
    va_end(arguments);
    return fails() ? CURLSHE_NOMEM : FORWARD(curl_share_setopt, share, option, value);
}

struct curl_slist *curl_slist_append(struct curl_slist *list, const char *text) {
    return fails() ? NULL : FORWARD(curl_slist_append, list, text);
}

// MARK: Many transfers at once

CURLM *curl_multi_init(void) {
    return fails() ? NULL : FORWARD(curl_multi_init);
}

CURLMcode curl_multi_setopt(CURLM *multi, CURLMoption option, ...) {
    va_list arguments;
    va_start(arguments, option);
    void *value = va_arg(arguments, void *);
    va_end(arguments);
    return fails() ? CURLM_OUT_OF_MEMORY : FORWARD(curl_multi_setopt, multi, option, value);
}

CURLMcode curl_multi_add_handle(CURLM *multi, CURL *easy) {
    return fails() ? CURLM_OUT_OF_MEMORY : FORWARD(curl_multi_add_handle, multi, easy);
}

CURLMcode curl_multi_socket_action(CURLM *multi, curl_socket_t descriptor, int events, int *running) {
    return fails() ? CURLM_OUT_OF_MEMORY : FORWARD(curl_multi_socket_action, multi, descriptor, events, running);
}

// MARK: URLs

CURLU *curl_url(void) {
    return fails() ? NULL : FORWARD(curl_url);
}

CURLUcode curl_url_set(CURLU *url, CURLUPart part, const char *text, unsigned int flags) {
    return fails() ? CURLUE_OUT_OF_MEMORY : FORWARD(curl_url_set, url, part, text, flags);
}

// Not all versions declare the URL as const: under another name in C, and the same to the linker.
CURLUcode get_part(const CURLU *, CURLUPart, char **, unsigned int) __asm__("curl_url_get");

CURLUcode get_part(const CURLU *url, CURLUPart part, char **text, unsigned int flags) {
    return fails() ? CURLUE_OUT_OF_MEMORY : FORWARD(curl_url_get, (CURLU *)url, part, text, flags);
}
