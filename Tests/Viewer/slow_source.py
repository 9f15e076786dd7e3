"""Serves jokes over HTTP, with responses that a test can delay.

    slow_source.py FOLDER

Serves FOLDER/jokes.json on a loopback port, and writes the port number to FOLDER/port. If the FIFO FOLDER/gate exists,
a response waits until another process writes to the FIFO.
"""

import http.server
import os
import sys

folder = sys.argv[1]


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        gate = os.path.join(folder, "gate")
        if os.path.exists(gate):
            with open(gate, "rb") as opened:
                opened.read()
        with open(os.path.join(folder, "jokes.json"), "rb") as file:
            body = file.read()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
with open(os.path.join(folder, "port.new"), "w") as file:
    file.write(str(server.server_port))
os.rename(os.path.join(folder, "port.new"), os.path.join(folder, "port"))
server.serve_forever()
