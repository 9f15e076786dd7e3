#include "SanitizerSettings.h"

// ncurses makes one screen before the first and keeps it for good: 1.6 KB once in a process.
const char *__lsan_default_suppressions(void) {
    return "leak:new_prescr\n";
}
