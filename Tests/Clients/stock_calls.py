#!/usr/bin/env python3
"""Makes calls with the Python package varlink, and prints what came of each.

    stock_calls.py ADDRESS CALLS

CALLS is a JSON array of [METHOD, PARAMETERS, MORE], the method with its interface. Prints a line of JSON for each: its reply, of several the
first, or {"error": NAME, "parameters": …}. What the package cannot read ends it.
"""

import json
import sys

import varlink


def first_answer(address, method, parameters, more):
    interface, _, name = method.rpartition(".")
    with varlink.Client(address) as client, client.open(interface) as connection:
        try:
            answer = getattr(connection, name)(**parameters, _more=more)
            return {"reply": (next(answer) if more else answer) or {}}
        except varlink.VarlinkError as error:
            return {"error": error.error(), "parameters": error.parameters()}


for method, parameters, more in json.loads(sys.argv[2]):
    print(json.dumps(first_answer(sys.argv[1], method, parameters, more)), flush=True)
