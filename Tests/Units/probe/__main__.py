"""Tries what a service may want to do, each thing in a child of its own, and says how it went.

    python3 probe    prints a line for each: what it should be in the unit, what was tried, and what came of it

What came of it is "done", or the name of the error. Nothing is changed that outlives the child: where a call could do
harm, its arguments are such that the kernel refuses them, with an error of its own, once it has let the caller in.
"""

import errno
import os
import signal

from attempts import attempts

# In the order in which they are tried.
import files
import memory
import processes
import sockets
import kernel


def in_child(attempt):
    """Calls it in a forked child. What it raises is passed on by its number."""
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
    answer = os.read(reader, 1)
    os.close(reader)
    status = os.waitpid(child, 0)[1]
    if not answer:
        return signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else "no answer"
    return "done" if answer[0] == 0 else errno.errorcode.get(answer[0], str(answer[0]))


for expectation, name, attempt in attempts:
    print(expectation, name, in_child(attempt), sep="\t", flush=True)
