"""How the terminal is set, as it says itself.

    terminal_modes.py FILE

Asks the terminal that it runs in for its modes (DECRQM), its style and the rows that scroll (DECRQSS), and writes the
answers to FILE.
"""

import os
import sys
import termios
import tty

# Cursor keys, columns, wrapping, the cursor, the keypad, the mouse, the other screen, pasting.
MODES = [1, 3, 6, 7, 12, 25, 47, 66, 1000, 1002, 1003, 1004, 1005, 1006, 1015, 1047, 1049, 2004]

terminal = os.open("/dev/tty", os.O_RDWR)
before = termios.tcgetattr(terminal)
tty.setraw(terminal)
try:
    questions = "\x1b[4$p" + "".join(f"\x1b[?{mode}$p" for mode in MODES) + "\x1bP$qm\x1b\\\x1bP$qr\x1b\\"
    # Every terminal answers what it is: that comes behind the other answers.
    os.write(terminal, (questions + "\x1b[c").encode())
    answers = b""
    while not answers.endswith(b"c"):
        answers += os.read(terminal, 4096)
finally:
    termios.tcsetattr(terminal, termios.TCSADRAIN, before)

with open(sys.argv[1] + ".new", "w") as file:
    file.write(answers.decode().replace("\x1b", "\n"))
os.rename(sys.argv[1] + ".new", sys.argv[1])
