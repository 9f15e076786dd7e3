// libcurl's functions under their own names, in front of libcurl: a program that this is linked into calls these, and
// they call libcurl, unless it is the turn of a call to fail.
//
// Each fails as it would without memory, and does nothing then. Not among them are those that cannot fail, and
// curl_multi_info_read, whose NULL is no failure.
#pragma once
#include <stdint.h>

/// From now on lets the n-th call of this thread fail, counted from 1, and the later ones, too, where it `lasts`; with 0
/// none fails. Begins to count.
void curl_faults_begin(int64_t number, int lasts);

/// How many calls this thread has made since it began to count.
int64_t curl_faults_count(void);
