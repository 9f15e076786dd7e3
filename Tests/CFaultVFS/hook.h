#pragma once
#include "CFaultVFS.h"

/// Asks the thread's hook, where there is one.
int fault_ask(struct fault_request request);
