# SPDX-License-Identifier: Apache-2.0
"""A real Prometheus and queries to it, for the tests beside this file."""
import json
import re
import subprocess
import threading
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from checks import DEADLINE


class Prometheus:
    """A Prometheus that scrapes every second."""

    def __init__(self, program: str, folder: Path, scrape: dict[str, Any], rules: Sequence[Path] = ()) -> None:
        """`scrape` holds the members of a scrape_config besides its name, skillhost."""
        configuration = {
            "global": {"scrape_interval": "1s", "evaluation_interval": "1s"}, "rule_files": [str(file) for file in rules],
            "scrape_configs": [{"job_name": "skillhost", **scrape}]}
        file = folder / "prometheus.yml"
        file.write_text(json.dumps(configuration))
        self.process = subprocess.Popen(
            [program, f"--config.file={file}", f"--storage.tsdb.path={folder / 'data'}", "--web.listen-address=127.0.0.1:0"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.log: list[str] = []
        assert self.process.stderr
        address = None
        for line in self.process.stderr:
            self.log.append(line)
            if address := re.search(r'msg="Listening on" address=(\S+)', line):
                break
        assert address, "".join(self.log)
        self.url = f"http://{address[1]}"
        self.reader = threading.Thread(target=lambda: self.log.extend(self.process.stderr or ()), daemon=True)
        self.reader.start()

    def ask(self, path: str, **query: str) -> Any:
        url = f"{self.url}/api/v1/{path}?{urllib.parse.urlencode(query)}"
        try:
            with urllib.request.urlopen(url, timeout=DEADLINE) as response:
                return json.load(response)["data"]
        except urllib.error.HTTPError as why:
            if why.code == 503:  # it is still starting
                return None
            raise AssertionError(f"{query}: {why.read().decode()}") from why

    def value(self, query: str) -> float | None:
        data = self.ask("query", query=query)
        return float(data["result"][0]["value"][1]) if data and data["result"] else None

    def end(self) -> None:
        self.process.terminate()
        self.process.wait(DEADLINE)
        self.reader.join(DEADLINE)
