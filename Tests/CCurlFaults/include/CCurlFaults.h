// Replaces functions of libcurl in a program that links this module. They call libcurl, except for the calls that must
// fail.
//
// A failing call does nothing and returns the error for missing memory. Functions that cannot fail are not replaced,
// nor is curl_multi_info_read, whose NULL is not an error.
#pragma once
#include <stdint.h>

/// Starts to count the calls of this thread from 1, and makes the call with this number fail. If `lasts` is not 0, all
/// later calls fail too. With the number 0, no call fails.
void curl_faults_begin(int64_t number, int lasts);

/// Returns the number of calls of this thread since the last `curl_faults_begin`.
int64_t curl_faults_count(void);

/// Gives later transfers of this thread the addresses of a host, in the form of CURLOPT_RESOLVE. NULL gives none.
void curl_faults_resolve(const char *entry);
