#!/usr/bin/env python3
"""Sends calls with the Python package varlink, and prints the results.

    stock_calls.py ADDRESS CALLS

CALLS is a JSON array of [METHOD, PARAMETERS, MORE]. METHOD includes the interface. Prints a line of JSON per call: the
first reply, or {"error": NAME, "parameters": …}. Exits with a traceback if the package cannot parse a reply.
"""

import json
import sys

import varlink


def first_reply(address, method, parameters, more):
    interface, _, name = method.rpartition(".")
    with varlink.Client(address) as client, client.open(interface) as connection:
        try:
            reply = getattr(connection, name)(**parameters, _more=more)
            return {"reply": (next(reply) if more else reply) or {}}
        except varlink.VarlinkError as error:
            return {"error": error.error(), "parameters": error.parameters()}


for method, parameters, more in json.loads(sys.argv[2]):
    print(json.dumps(first_reply(sys.argv[1], method, parameters, more)), flush=True)
