"""What all tests share."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

# A shell that starts the tests in the background lets them ignore Ctrl-C, which some of them send.
signal.signal(signal.SIGINT, signal.default_int_handler)


class Bucket:
    """A bucket of an S3 server on this machine."""

    def __init__(self, s3, name):
        self._s3, self._name = s3, name

    def url(self, run):
        """The URL of a run."""
        return f"s3://{self._name}/{run}"

    def files(self, run):
        """The contents of the objects of a run, by their paths in it."""
        pages = self._s3.get_paginator("list_objects_v2")
        found = {}
        for page in pages.paginate(Bucket=self._name, Prefix=f"{run}/"):
            for entry in page.get("Contents", []):
                body = self._s3.get_object(Bucket=self._name, Key=entry["Key"])["Body"]
                found[Path(entry["Key"].removeprefix(f"{run}/"))] = body.read()
        return found


@pytest.fixture(scope="session")
def bucket_environment():
    """The variables with which a process finds an S3 server on this machine."""
    pytest.importorskip("moto.server")
    script = Path(__file__).with_name("bucket_server.py")
    command = [sys.executable, "-W", "ignore", str(script)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        yield {
            "AWS_ENDPOINT_URL": running.stdout.readline().strip(),
            "AWS_ALLOW_HTTP": "true",
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_REGION": "us-east-1",
            "AWS_DEFAULT_REGION": "us-east-1",
            "NO_PROXY": "127.0.0.1",
        }
        running.terminate()


@pytest.fixture(scope="module")
def bucket(bucket_environment):
    """The bucket ``runs`` of that server, which this process finds, too."""
    import boto3

    with pytest.MonkeyPatch.context() as patch:
        for name, value in bucket_environment.items():
            patch.setenv(name, value)
        s3 = boto3.client("s3")
        s3.create_bucket(Bucket="runs")
        yield Bucket(s3, "runs")
