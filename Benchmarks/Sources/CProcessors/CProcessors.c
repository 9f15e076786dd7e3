#define _GNU_SOURCE
#include "CProcessors.h"

#include <sched.h>

int processors_of_this_thread(int *numbers, int most) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return -1;
    int count = 0;
    for (int number = 0; number < CPU_SETSIZE && count < most; number++) {
        if (CPU_ISSET(number, &set)) numbers[count++] = number;
    }
    return count;
}

int processors_hold(int thread, const int *numbers, int count) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (int index = 0; index < count; index++) CPU_SET(numbers[index], &set);
    return sched_setaffinity(thread, sizeof set, &set);
}
