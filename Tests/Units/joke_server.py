#!/usr/bin/python3 -B
"""Serves jokes over TLS to clients that send the secret.

    joke_server.py CERTIFICATE KEY SECRET

Serves /jokes.json on port 8443 of the loopback interface, and notifies the service manager when the server is ready.
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
    {"id": "handshake", "setup": "How do two hosts agree?", "punchline": "By a handshake of two round trips."},
]


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        is_authorized = self.headers.get("Authorization") == f"Bearer {secret}"
        body = json.dumps({"jokes": jokes} if is_authorized else {"error": "unauthorized"}).encode()
        self.send_response(200 if is_authorized else 401)
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
