# SPDX-License-Identifier: Apache-2.0
"""Makes a root folder of a foreign Linux: the C library and the compiler's run-time libraries, as every
distribution has them, and nothing else of this machine."""
import shutil
import subprocess
from pathlib import Path

EVERYWHERE = ("ld-linux-x86-64.so.2", "libc.so.6", "libm.so.6", "libresolv.so.2", "libdl.so.2", "libpthread.so.0",
              "librt.so.1", "libstdc++.so.6", "libgcc_s.so.1")
ENTER = 'mount --rbind /proc "$1/proc" && mount --rbind /dev "$1/dev" && root=$1 && shift && exec chroot "$root" "$@"'


def namespaces() -> list[str] | None:
    """Returns the words before a command that give it mounts of its own; None where there is no way."""
    for way in (["unshare", "--mount"], ["unshare", "--user", "--map-root-user", "--mount"]):
        if shutil.which("unshare") and subprocess.run([*way, "true"], capture_output=True).returncode == 0:
            return way
    return None


class ForeignRoot:
    def __init__(self, folder: Path, way: list[str]):
        self.folder, self.way = folder, way
        for name in ("proc", "dev", "tmp", "etc", "lib64", "lib/x86_64-linux-gnu", "root"):
            (folder / name).mkdir(parents=True)
        listed = subprocess.run(["ldconfig", "-p"], capture_output=True, text=True, check=True,
                                env={"PATH": "/usr/sbin:/sbin"}).stdout
        places = {line.split()[0]: line.split(" => ")[1] for line in listed.splitlines()
                  if " => " in line and "x86-64" in line}
        for name in EVERYWHERE:
            where = folder / ("lib64" if name.startswith("ld-") else "lib/x86_64-linux-gnu")
            shutil.copy(Path(places[name]).resolve(), where / name)
        (folder / "etc/hosts").write_text("127.0.0.1 localhost\n")

    def command(self, *words: str) -> list[str]:
        """Returns the command that runs `words` with this root."""
        return [*self.way, "sh", "-c", ENTER, "enter", str(self.folder), *words]
