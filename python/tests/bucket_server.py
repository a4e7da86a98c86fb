"""An S3 server on this machine, with the bucket ``runs``. Prints its address.

``/downloads`` lists the parts that were downloaded, each as often as it was.
"""

import json
import logging

from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import make_server

parts: list[str] = []
buckets = DomainDispatcherApplication(create_backend_app)


def answer(environ, start_response):
    """Answers a request. Parts have one piece here, so each request for one downloads it."""
    path = environ["PATH_INFO"]
    if path == "/downloads":
        start_response("200 OK", [("Content-Type", "application/json")])
        return [json.dumps(parts).encode()]
    if environ["REQUEST_METHOD"] == "GET" and path.endswith(".parquet"):
        parts.append(path)
    return buckets(environ, start_response)


logging.getLogger("werkzeug").setLevel(logging.ERROR)
server = make_server("127.0.0.1", 0, answer, threaded=True)
print(f"http://127.0.0.1:{server.port}", flush=True)
server.serve_forever()
