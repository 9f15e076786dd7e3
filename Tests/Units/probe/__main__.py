"""Runs operations that a service may need or must not do, each in a child process, and prints the results.

    python3 probe    prints a line per attempt: the expectation in the unit, the name, and the result

The columns are separated by tabs. The result is "done" or the name of the error. An attempt makes no permanent changes:
a call that could do harm gets invalid arguments. If the kernel returns the error for these arguments, it permits the
call.
"""

import errno
import os
import signal

from attempts import attempts

# The order of the imports is the order of the attempts.
import files
import memory
import processes
import sockets
import kernel


def run_in_child(attempt):
    """Calls a function in a forked child, and returns its result. The child sends its error number through a pipe."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        code = 0
        try:
            attempt()
        except OSError as error:
            code = error.errno
        os.write(writer, bytes([code]))
        os._exit(0)
    os.close(writer)
    code = os.read(reader, 1)
    os.close(reader)
    status = os.waitpid(child, 0)[1]
    if not code:
        return signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else "no result"
    return "done" if code[0] == 0 else errno.errorcode.get(code[0], str(code[0]))


for expectation, name, attempt in attempts:
    print(expectation, name, run_in_child(attempt), sep="\t", flush=True)
