// What the sanitizers are told in the tests' process; nothing calls it, the sanitizers' runtime looks for it.
#pragma once

/// Leaks that are not ours: one line each, by function.
const char *__lsan_default_suppressions(void);
