// The processors of threads: functions that glibc declares only with _GNU_SOURCE, which the Glibc module of Swift
// lacks.
#pragma once

/// sched_getaffinity(2) of the calling thread: writes at most `most` numbers of its processors in ascending order.
/// Returns the number of processors, or -1 with errno set.
int processors_of_this_thread(int *numbers, int most);

/// sched_setaffinity(2): limits a thread to these processors; 0 is the calling thread. Returns 0, or -1 with errno set.
int processors_hold(int thread, const int *numbers, int count);
