#!/usr/bin/python3 -B
"""A source of jokes over TLS, for those who know its secret.

    joke_server.py CERTIFICATE KEY SECRET

Serves /jokes.json on port 8443 of this machine, and tells the service manager when it does.
"""

import http.server
import json
import os
import socket
import ssl
import sys

certificate, key, secret = sys.argv[1:]
jokes = [
    {"id": "padlock", "setup": "Why was the padlock calm?", "punchline": "It had seen the certificate."},
    {"id": "handshake", "setup": "How do two strangers agree?", "punchline": "By a handshake of two round trips."},
]


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        known = self.headers.get("Authorization") == f"Bearer {secret}"
        body = json.dumps({"jokes": jokes} if known else {"error": "Who are you?"}).encode()
        self.send_response(200 if known else 401)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 8443), Handler)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate, key)
server.socket = context.wrap_socket(server.socket, server_side=True)
with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
    manager.sendto(b"READY=1", os.environ["NOTIFY_SOCKET"])
server.serve_forever()
