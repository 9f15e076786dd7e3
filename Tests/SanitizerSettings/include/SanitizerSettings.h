// Settings of the sanitizers for the test process. The runtime of the sanitizers finds this function by its name.
#pragma once

/// Returns the leaks of other libraries to ignore, one function per line.
const char *__lsan_default_suppressions(void);
