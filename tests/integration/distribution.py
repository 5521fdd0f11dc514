# SPDX-License-Identifier: Apache-2.0
"""Docker's registry on loopback, and cosign's signatures of artefacts, made with OpenSSL's command line."""
import base64
import http.client
import json
import socket
import subprocess
from pathlib import Path

from checks import until
from oci_registry import CONFIG, MANIFEST, digest

STATEMENT = "application/vnd.dev.cosign.simplesigning.v1+json"
SIGNATURE = "dev.cosignproject.cosign/signature"


def bcrypt(secret):
    """Returns a line of htpasswd's own kind, by the C library."""
    salt = "$2b$05$" + "abcdefghijklmnopqrstuu"
    run = subprocess.run(["perl", "-e", "print crypt($ARGV[0], $ARGV[1])", secret, salt], check=True, capture_output=True, text=True,
                         timeout=60)
    assert run.stdout.startswith(salt[:7]), run.stdout
    return run.stdout


class Distribution:
    """Docker's registry on loopback, in its own folder. With `user` and `secret` it wants this login (Basic)."""

    def __init__(self, folder, user="", secret=""):
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.name = f"127.0.0.1:{self.port}"
        file = Path(folder) / "registry.yml"
        login = {}
        if user:
            (Path(folder) / "htpasswd").write_text(f"{user}:{bcrypt(secret)}\n")
            login = {"auth": {"htpasswd": {"realm": "here", "path": str(Path(folder) / "htpasswd")}}}
        file.write_text(json.dumps({"version": "0.1", "storage": {"filesystem": {"rootdirectory": str(Path(folder) / "registry")}},
                                    "http": {"addr": self.name}, "log": {"level": "error", "accesslog": {"disabled": True}}, **login}))
        self.log = (Path(folder) / "registry.log").open("w")
        self.process = subprocess.Popen(["docker-registry", "serve", str(file)], stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        until(self.answers, "the registry answers")

    def answers(self):
        assert self.process.poll() is None, "the registry has ended"
        try:
            return self.ask("GET", "/v2/")[0] in (200, 401)
        except OSError:
            return False

    def ask(self, method, path, body=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        response = connection.getresponse()
        return response.status, response.headers, response.read()

    def blob(self, repository, body, kind):
        status, headers, _ = self.ask("POST", f"/v2/{repository}/blobs/uploads/")
        assert status == 202, status
        place = headers["Location"].split(self.name, 1)[1]
        status, _, text = self.ask("PUT", f"{place}{'&' if '?' in place else '?'}digest={digest(body)}", body)
        assert status == 201, text
        return {"mediaType": kind, "digest": digest(body), "size": len(body)}

    def manifest(self, repository, tag, document, kind):
        body = json.dumps(document).encode()
        status, _, text = self.ask("PUT", f"/v2/{repository}/manifests/{tag}", body, Content_Type=kind)
        assert status == 201, text
        return digest(body)

    def end(self):
        self.process.terminate()
        self.process.wait(20)
        self.log.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()


class Key:
    """A key pair like that of `cosign generate-key-pair` (p256), or Ed25519; `public` is a file."""

    def __init__(self, folder, name, kind="p256"):
        self.secret, self.public, self.kind = Path(folder) / f"{name}.key", Path(folder) / f"{name}.pub", kind
        made = ["ecparam", "-name", "prime256v1", "-genkey", "-noout"] if kind == "p256" else ["genpkey", "-algorithm", "ed25519"]
        for words in ([*made, "-out", self.secret], ["pkey", "-in", self.secret, "-pubout", "-out", self.public]):
            subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True, timeout=60)

    def sign(self, text):
        """Returns the signature in base64."""
        message = self.secret.with_suffix(".message")
        message.write_bytes(text)
        words = ["dgst", "-sha256", "-sign", self.secret, message] if self.kind == "p256" else \
                ["pkeyutl", "-sign", "-inkey", self.secret, "-rawin", "-in", message]
        run = subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True, timeout=60)
        return base64.b64encode(run.stdout).decode()


def statement(of, repository, **more):
    """Returns the statement that cosign signs: the digest of an artefact, and its place."""
    return json.dumps({"critical": {"identity": {"docker-reference": repository}, "image": {"docker-manifest-digest": of},
                                    "type": "cosign container image signature", **more}, "optional": None}).encode()


def signature_tag(of):
    return of.replace(":", "-") + ".sig"


def signature_manifest(blob, signed):
    """Stores a signature manifest. `blob` stores bytes with a media type and returns their descriptor; `signed` are
    pairs of a statement and its signature."""
    layers = [{**blob(text, STATEMENT), "annotations": {SIGNATURE: signature}} for text, signature in signed]
    config = blob(json.dumps({"architecture": "", "os": "", "config": {}, "rootfs": {"type": "layers", "diff_ids": [
        layer["digest"] for layer in layers]}}).encode(), CONFIG)
    return {"schemaVersion": 2, "mediaType": MANIFEST, "config": config, "layers": layers}
