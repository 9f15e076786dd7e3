// On which processors threads run: what glibc declares only with _GNU_SOURCE, which Swift's own module is built without.
#pragma once

/// sched_getaffinity(2) of the calling thread: puts the numbers of its processors, the lowest first and so many at most;
/// how many it put, or -1 with errno set.
int processors_of_this_thread(int *numbers, int most);

/// sched_setaffinity(2): has a thread run on these alone; 0 is the calling one. 0, or -1 with errno set.
int processors_hold(int thread, const int *numbers, int count);
