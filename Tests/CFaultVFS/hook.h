#pragma once
#include "CFaultVFS.h"

/// Calls the hook of the thread, if there is one.
int fault_ask(struct fault_request request);
