"""Writes the modes of the terminal to a file.

    terminal_modes.py FILE

Requests the modes (DECRQM), the style and the scroll region (DECRQSS) from the terminal, and writes the replies to FILE.
"""

import os
import sys
import termios
import tty

# Cursor keys, columns, wrapping, the cursor, the keypad, the mouse, the alternate screen, bracketed paste.
MODES = [1, 3, 6, 7, 12, 25, 47, 66, 1000, 1002, 1003, 1004, 1005, 1006, 1015, 1047, 1049, 2004]

terminal = os.open("/dev/tty", os.O_RDWR)
attributes = termios.tcgetattr(terminal)
tty.setraw(terminal)
try:
    requests = "\x1b[4$p" + "".join(f"\x1b[?{mode}$p" for mode in MODES) + "\x1bP$qm\x1b\\\x1bP$qr\x1b\\"
    # Every terminal replies to the last request (DA1). This reply follows all other replies.
    os.write(terminal, (requests + "\x1b[c").encode())
    replies = b""
    while not replies.endswith(b"c"):
        replies += os.read(terminal, 4096)
finally:
    termios.tcsetattr(terminal, termios.TCSADRAIN, attributes)

with open(sys.argv[1] + ".new", "w") as file:
    file.write(replies.decode().replace("\x1b", "\n"))
os.rename(sys.argv[1] + ".new", sys.argv[1])
