#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures clones of the git repository that the server serves: clone.py SERVER FOLDER [--rounds N]

Starts SERVER on HTTP with the skills of FOLDER, and git's own http-backend with the files of a clone, and prints for
each: seconds and processor seconds of the server for the first clone and for the median of the later ones, its MB
before and at most, and the bytes that a client receives for a clone and for an update after one changed skill. It
changes a skill of FOLDER."""
import argparse
import http.server
import os
import re
import shutil
import statistics
import subprocess
import tempfile
import threading
import time
import urllib.request
from pathlib import Path


def git(*words, **environment):
    env = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, **environment}
    return subprocess.run(["git", *words], env=env, check=True, capture_output=True, text=True)


class Skillhost:
    def __init__(self, program, folder, place):
        self.process = subprocess.Popen(
            [program, "serve", "--no-config", "--transport", "http", "--port", "0", "--skills-dir", folder, "--set", "http.git=true",
             "--set", "search.plugin=none"], env={**os.environ, "XDG_CACHE_HOME": str(place / "cache")},
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if found := re.search(r" serving on http://[^/]*:(\d+)/", line):
                self.url = f"http://127.0.0.1:{found[1]}/git/skills.git"
            if " catalogue " in line:
                break
        threading.Thread(target=lambda: list(self.process.stderr), daemon=True).start()
        self.before = self.memory("VmRSS")

    def memory(self, what):
        return int(re.search(rf"^{what}:\s+(\d+) kB", Path(f"/proc/{self.process.pid}/status").read_text(), re.M)[1]) / 1024

    def seconds(self):
        times = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(times[11]) + int(times[12])) / os.sysconf("SC_CLK_TCK")

    def at_most(self):
        return self.memory("VmHWM")

    def change(self, file, _tree):
        before = latest(self.url)
        file.write_text(file.read_text() + "\nOne more line.\n")
        while latest(self.url) == before:
            time.sleep(0.05)  # the pace of the questions

    def end(self):
        self.process.terminate()
        self.process.wait()


class Backend:
    """git http-backend as the CGI of a small server. The figures are those of the backend and of the programs that it starts."""

    def __init__(self, tree, place):
        self.bare, self.before, self.used, self.most = place / "skills.git", 0.0, 0.0, 0
        git("init", "-q", "--bare", "-b", "main", str(self.bare))
        self.commit(tree)
        git("-C", str(self.bare), "repack", "-adq")
        backend = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_GET(self):
                path, _, query = self.path.partition("?")
                length = int(self.headers.get("Content-Length", 0))
                env = {**os.environ, "GIT_PROJECT_ROOT": str(backend.bare.parent), "GIT_HTTP_EXPORT_ALL": "1", "PATH_INFO": path,
                       "QUERY_STRING": query, "REQUEST_METHOD": self.command, "CONTENT_TYPE": self.headers.get("Content-Type", ""),
                       "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""), "CONTENT_LENGTH": str(length),
                       "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", "")}
                run = subprocess.Popen(["git", "http-backend"], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
                run.stdin.write(self.rfile.read(length))
                run.stdin.close()
                self.wfile.write(b"HTTP/1.0 200 OK\r\n")
                while part := run.stdout.read(1 << 16):
                    self.wfile.write(part)
                usage = os.wait4(run.pid, 0)[2]
                run.returncode = 0
                backend.used += usage.ru_utime + usage.ru_stime
                backend.most = max(backend.most, usage.ru_maxrss)

            do_POST = do_GET

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/skills.git"

    def commit(self, tree):
        index = {"GIT_DIR": str(self.bare), "GIT_WORK_TREE": str(tree), "GIT_INDEX_FILE": str(self.bare / "bench-index")}
        git("add", "-A", "skills", **index)
        made = git("-c", "user.name=x", "-c", "user.email=x", "commit-tree", git("write-tree", **index).stdout.strip(), "-m", "state", **index)
        git("update-ref", "refs/heads/main", made.stdout.strip(), **index)

    def seconds(self):
        return self.used

    def at_most(self):
        return self.most / 1024

    def change(self, _file, tree):
        file = next(tree.glob("skills/*/SKILL.md"))
        file.write_text(file.read_text() + "\nOne more line.\n")
        self.commit(tree)

    def end(self):
        self.server.shutdown()


def latest(url):
    return git("ls-remote", url, "HEAD").stdout.split()[0]


def update_bytes(url, had):
    """Returns the length of the answer to a fetch of a client that has the commit `had`."""
    lines = ["command=fetch", "object-format=sha1", None, "thin-pack", "no-progress", "ofs-delta", f"want {latest(url)}", f"have {had}", "done"]
    body = "".join("0001" if line is None else f"{len(line) + 5:04x}{line}\n" for line in lines) + "0000"
    request = urllib.request.Request(url + "/git-upload-pack", body.encode(),
                                     {"Content-Type": "application/x-git-upload-pack-request", "Git-Protocol": "version=2"})
    return len(urllib.request.urlopen(request).read())


def measure(name, server, file, place, rounds):
    times, target = [], place / "clone"
    for _ in range(rounds + 1):  # without files in the work tree, whose time is the client's
        shutil.rmtree(target, ignore_errors=True)
        begun, used = time.monotonic(), server.seconds()
        git("clone", "-q", "--no-checkout", server.url, str(target))
        times.append((time.monotonic() - begun, server.seconds() - used))
    size = sum(pack.stat().st_size for pack in target.glob(".git/objects/pack/*.pack"))
    git("-C", str(target), "checkout", "-q")
    later = [statistics.median(column) for column in zip(*times[1:])]
    most = server.at_most()
    had = latest(server.url)
    server.change(file, target)
    print(f"{name}: first clone {times[0][0]:.2f} s, {times[0][1]:.2f} cpu s; later {later[0]:.2f} s, {later[1]:.2f} cpu s; "
          f"{server.before:.0f} MB before, {most:.0f} MB at most; clone {size} bytes, update {update_bytes(server.url, had)} bytes")
    server.end()
    return target


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("server")
    parser.add_argument("folder")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    file = next(Path(given.folder).glob("**/SKILL.md"))
    with tempfile.TemporaryDirectory() as ours, tempfile.TemporaryDirectory() as theirs:
        clone = measure("skillhost", Skillhost(given.server, given.folder, Path(ours)), file, Path(ours), given.rounds)
        measure("git http-backend", Backend(clone, Path(theirs)), file, Path(theirs), given.rounds)


if __name__ == "__main__":
    main()
