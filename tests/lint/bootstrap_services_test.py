#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that ./bootstrap --tests starts and enables no service of the packages that it installs. A made-up apt-get
does what Debian's packages do when they are installed, in a mount namespace with folders of its own in /usr/sbin
and /etc."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
POLICY = "/usr/sbin/policy-rc.d"
ENTER = """set -e
mount --bind "$1/sbin" /usr/sbin
mount --bind "$1/systemd" /etc/systemd/system
cd "$2"
exec bash ./bootstrap --tests --packages
"""
# "nginx" is installed and tries to start; "old" already runs and is restarted.
APT_GET = f"""#!/bin/sh
case "$*" in *install*) ;; *) exit 0 ;; esac
echo "$*" >>"$STATE/installed"
for unit in nginx.service old.service; do
  code=0
  if [ -x {POLICY} ]; then {POLICY} --quiet "$unit" start || code=$?; fi
  echo "$unit $code" >>"$STATE/asked"
done
ln -sf /lib/systemd/system/nginx.service /etc/systemd/system/multi-user.target.wants/nginx.service
exit ${{APT_CODE:-0}}
"""
SYSTEMCTL = """#!/bin/sh
echo "$*" >>"$STATE/systemctl"
case "$*" in
  *is-active*old.service) exit 0 ;;
  *is-active*) exit 3 ;;
  *disable*nginx*) rm -f /etc/systemd/system/multi-user.target.wants/nginx.service ;;
esac
"""


def namespace() -> list[str] | None:
    for way in (["unshare", "--mount"], ["unshare", "--user", "--map-root-user", "--mount"]):
        if shutil.which("unshare") and subprocess.run([*way, "mount", "--bind", "/tmp", "/usr/sbin"], capture_output=True).returncode == 0:
            return way
    return None


class Services(unittest.TestCase):
    way: list[str] = []

    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        self.wants = self.folder / "systemd/multi-user.target.wants"
        self.wants.mkdir(parents=True)
        (self.wants / "old.service").symlink_to("/lib/systemd/system/old.service")
        (self.folder / "sbin").mkdir()
        self.tools = self.folder / "tools"
        self.tools.mkdir()
        self.tool("apt-get", APT_GET)
        self.tool("apt-cache", "#!/bin/sh\nexit 0\n")
        self.tool("dpkg-query", "#!/bin/sh\nexit 1\n")  # nothing is installed
        self.tool("systemctl", SYSTEMCTL)

    def tool(self, name: str, text: str) -> None:
        (self.tools / name).write_text(text)
        (self.tools / name).chmod(0o755)

    def bootstrap(self, code: int = 0, **more: str) -> str:
        done = subprocess.run([*self.way, "sh", "-c", ENTER, "enter", str(self.folder), str(ROOT)], check=False, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env={**os.environ, "PATH": f"{self.tools}:/usr/bin:/bin", "STATE": str(self.folder), **more})
        self.assertEqual(code, done.returncode, done.stdout)
        return done.stdout

    def asked(self) -> set[str]:
        return set((self.folder / "asked").read_text().splitlines())

    def test_nothing_is_started_or_enabled(self) -> None:
        said = self.bootstrap()
        self.assertIn("services of these packages are neither started nor enabled", said)
        self.assertEqual({"nginx.service 101", "old.service 0"}, self.asked())
        self.assertEqual(["old.service"], [link.name for link in self.wants.iterdir()])
        self.assertEqual([], list((self.folder / "sbin").iterdir()), "the policy is removed")

    def test_without_systemctl(self) -> None:
        self.tool("systemctl", "#!/bin/sh\nexit 1\n")
        self.bootstrap()
        self.assertEqual({"nginx.service 101", "old.service 101"}, self.asked())
        self.assertEqual(["old.service"], [link.name for link in self.wants.iterdir()])

    def test_the_policy_goes_when_installing_fails(self) -> None:
        self.bootstrap(100, APT_CODE="100")
        self.assertEqual({"nginx.service 101", "old.service 0"}, self.asked())
        self.assertEqual([], list((self.folder / "sbin").iterdir()))

    def test_a_policy_of_the_machine_stays(self) -> None:
        own = self.folder / "sbin/policy-rc.d"
        own.write_text("#!/bin/sh\nexit 101\n")
        own.chmod(0o755)
        self.bootstrap()
        self.assertEqual("#!/bin/sh\nexit 101\n", own.read_text())
        self.assertEqual({"nginx.service 101", "old.service 101"}, self.asked())


if __name__ == "__main__":
    found = namespace()
    if found is None or not Path("/etc/systemd/system").is_dir():
        print("skipped: there is no mount namespace to be had here, or no /etc/systemd/system")
        sys.exit(77)
    Services.way = found
    unittest.main(verbosity=2)
