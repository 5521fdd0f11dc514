# SPDX-License-Identifier: Apache-2.0
"""Repositories, and git servers on loopback: a real one if it is installed, and one that can misbehave."""
import base64
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from loopback import Handler, Loopback

BACKEND = "/usr/lib/git-core/git-http-backend"


def git(folder, *arguments):
    command = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=trunk",
               "-C", str(folder), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=120).stdout.strip()


class Repository:
    """A work tree whose commits are pushed to a bare repository below `root`."""

    def __init__(self, root, name):
        self.bare = Path(root) / f"{name}.git"
        self.tree = Path(root) / f"{name}-tree"
        git(root, "init", "-q", "--bare", str(self.bare))
        git(root, "init", "-q", str(self.tree))

    def skill(self, name, description, extra=""):
        folder = self.tree / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "SKILL.md").write_text(f"---\nname: {name}\ndescription: {description}\n---\nBody of {name}.\n{extra}")

    def push(self, *options):
        git(self.tree, "add", "-A")
        git(self.tree, "commit", "-q", "--allow-empty", "-m", "change")
        git(self.tree, "push", "-q", *options, str(self.bare), "HEAD:refs/heads/trunk")
        return git(self.tree, "rev-parse", "HEAD")


class GitHandler(Handler):
    def do_GET(self):
        owner = self.server
        owner.requests.append((self.command, self.path, self.headers.get("Authorization")))
        body = self.body()
        if owner.answer and owner.answer(self):
            return
        if owner.auth and self.headers.get("Authorization") != owner.auth:
            return self.say(401, {"WWW-Authenticate": 'Basic realm="git"'})
        path, _, query = self.path.partition("?")
        environment = dict(os.environ, GIT_PROJECT_ROOT=str(owner.root), GIT_HTTP_EXPORT_ALL="1", PATH_INFO=path,
                           QUERY_STRING=query, REQUEST_METHOD=self.command, REMOTE_ADDR="127.0.0.1",
                           CONTENT_TYPE=self.headers.get("Content-Type", ""), CONTENT_LENGTH=str(len(body)))
        output = subprocess.run([BACKEND], input=body, env=environment, capture_output=True, timeout=120).stdout
        head, _, rest = output.partition(b"\r\n\r\n")
        fields = dict(line.split(": ", 1) for line in head.decode().split("\r\n"))
        owner.sent += len(rest)
        self.say(int(fields.pop("Status", "200").split()[0]), fields, rest)

    do_POST = do_GET


class PythonServer(Loopback):
    """git-http-backend behind Python's HTTP server; `answer` may handle a request instead."""

    def __init__(self, root, token=None, answer=None, certificate=None):
        self.root, self.answer, self.requests, self.sent = root, answer, [], 0
        self.auth = "Basic " + base64.b64encode(f"x-access-token:{token}".encode()).decode() if token else None
        super().__init__(GitHandler, certificate)


NGINX = """daemon off; master_process off; worker_processes 1; pid {run}/nginx.pid; error_log {run}/error.log;
{user}
events {{}}
http {{ access_log off; client_body_temp_path {run}/1; fastcgi_temp_path {run}/2; proxy_temp_path {run}/3;
 uwsgi_temp_path {run}/4; scgi_temp_path {run}/5;
 server {{ listen 127.0.0.1:{port}; location / {{ auth_basic "git"; auth_basic_user_file {run}/users;
  client_max_body_size 0; fastcgi_pass unix:{run}/socket; include /etc/nginx/fastcgi_params;
  fastcgi_param SCRIPT_FILENAME {backend}; fastcgi_param GIT_HTTP_EXPORT_ALL 1; fastcgi_param GIT_PROJECT_ROOT {root};
  fastcgi_param PATH_INFO $uri; fastcgi_param HOME {run}; fastcgi_param REMOTE_USER $remote_user; }} }} }}
"""


class NginxServer:
    """nginx, fcgiwrap and git-http-backend with basic authentication."""

    @staticmethod
    def is_installed():
        return all(map(shutil.which, ("nginx", "fcgiwrap"))) and Path(BACKEND).exists()

    def __init__(self, root, token):
        self.run = tempfile.TemporaryDirectory(prefix="skillhost-nginx-")
        run = Path(self.run.name)
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        (run / "users").write_text(f"x-access-token:{{PLAIN}}{token}\n")
        user = "user root;" if os.geteuid() == 0 else ""
        (run / "nginx.conf").write_text(NGINX.format(run=run, port=port, root=root, backend=BACKEND, user=user))
        # fcgiwrap has children, so the whole group is ended.
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "start_new_session": True}
        self.processes = [subprocess.Popen(["fcgiwrap", "-c", "2", "-s", f"unix:{run}/socket"], **quiet),
                          subprocess.Popen(["nginx", "-p", str(run), "-c", str(run / "nginx.conf")], **quiet)]
        self.url = f"http://127.0.0.1:{port}"
        deadline = time.monotonic() + 20
        while not ((run / "socket").exists() and self._answers(port)):
            if time.monotonic() > deadline:
                raise RuntimeError((run / "error.log").read_text())

    @staticmethod
    def _answers(port):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return True
        except OSError:
            return False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.processes:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        self.run.cleanup()
