#include "hook.h"

#include <stddef.h>

static _Thread_local fault_hook current;
static _Thread_local void *current_context;

void fault_set_hook(fault_hook hook, void *context) {
    current = hook;
    current_context = context;
}

int fault_ask(struct fault_request request) {
    return current == NULL ? 0 : current(current_context, &request);
}
