"""Makes a stream of NATS that stores SUBJECT, and prints what comes to it, a line of JSON for each message. Usage: stored.py SUBJECT"""
import json
import socket
import sys

subject = sys.argv[1]
server = socket.create_connection(("127.0.0.1", 4222))
lines = server.makefile("rwb")
settings = json.dumps({"name": "STORED", "subjects": [subject]}).encode()
lines.write(b'CONNECT {"verbose":false,"headers":true}\r\nSUB answer 1\r\nSUB %b 2\r\n' % subject.encode())
lines.write(b"PUB $JS.API.STREAM.CREATE.STORED answer %d\r\n%b\r\n" % (len(settings), settings))
lines.flush()
for line in lines:
    words = line.split()
    if words[0] == b"PING":
        lines.write(b"PONG\r\n")
        lines.flush()
    elif words[0] in (b"MSG", b"HMSG"):
        # HMSG has the length of the headers before that of the whole.
        headers = int(words[-2]) if words[0] == b"HMSG" else 0
        content = lines.read(int(words[-1]) + 2)[headers:-2]
        if words[1] == b"answer":
            if b'"error":' in content:
                sys.exit(content.decode())
            content = b'{"stream":"STORED"}'
        print(content.decode(), flush=True)
