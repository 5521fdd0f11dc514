#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests files that decide what is run, served or believed, and that another user can change or replace.
trusted_files_test.py SERVER PLUGINS

The controls: the same file is accepted where nobody else may write it (also with umask 002, in a home folder,
below /tmp, as Kubernetes mounts it), and the other user can really change it where it is refused."""
import errno
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "integration"))
from checks import DEADLINE, Checks  # noqa: E402

SERVER, PLUGINS = sys.argv[1], Path(sys.argv[2])
STRANGER = 54321
checks = Checks()
check = checks.check


def run(*words, user=None, **environment):
    change = ["setpriv", "--reuid", str(user), "--regid", str(user), "--clear-groups"] if user else []
    keep = {name: value for name, value in os.environ.items() if not name.startswith(("SKILLHOST_", "XDG_"))}
    return subprocess.run([*change, SERVER, *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=DEADLINE, check=False, env={**keep, **environment})


def written(file, text):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    file.chmod(0o644)
    return file


def configuration(place, **more):
    sources = [{"name": "team", "config": {"directories": [str(place.skills)]}}]
    return written(place.base / "skillhost.json", json.dumps({"sources": sources, **more}))


class Place:
    """A folder of its own with one skill; `base` has root's files, `inner` the attacked file."""

    def __init__(self, folder, name):
        self.base = Path(folder, name)
        self.skills, self.inner = self.base / "skills", self.base / "above/inner"
        self.inner.mkdir(parents=True)
        for path in (self.base, self.base / "above", self.inner):
            path.chmod(0o755)
        written(self.skills / "one/SKILL.md", "---\nname: one\ndescription: Is the one.\n---\nText.\n")


# Each function makes the file in place.inner, and returns it with the command that reads it. A command that succeeds
# has accepted the file.

def of_configuration(place):
    file = written(place.inner / "skillhost.json", json.dumps({"sources": [{"name": "team", "config": {"directories": [str(place.skills)]}}]}))
    return file, ("skill", "list", "--config", file)


def of_secret(place):
    file = written(place.inner / "token", "a secret of many bytes")
    return file, ("--print-config", "--config", configuration(place, metrics={"listen": ["127.0.0.1:0"], "token": f"${{file:{file}}}"}))


def of_skills_lock(place):
    file = place.inner / "skills.lock"
    config = configuration(place)
    done = run("lock", "--config", config, "--skills-lock", file)
    assert done.returncode == 0, done.stderr
    file.chmod(0o644)
    return file, ("skill", "list", "--config", config, "--locked", "--skills-lock", file)


def of_plugins_lock(place):
    plugins = place.base / "plugins"
    plugins.mkdir()
    shutil.copy(PLUGINS / "good.so", plugins / "good.so")
    (plugins / "good.so").chmod(0o644)
    file = place.inner / "plugins.lock"
    done = run("plugins", "--no-config", "--plugins-dir", plugins, "--write-lock", file)
    assert done.returncode == 0, done.stderr
    file.chmod(0o644)
    return file, ("skill", "list", "--no-config", "--skills-dir", place.skills, "--plugins-dir", plugins, "--plugins-lock", file)


def of_plugin(place):
    shutil.copy(PLUGINS / "good.so", place.inner / "good.so")
    (place.inner / "good.so").chmod(0o644)
    sources = [{"name": "good", "plugin": str(place.inner / "good.so")}]
    return place.inner / "good.so", ("skill", "list", "--config", written(place.base / "skillhost.json", json.dumps({"sources": sources})))


def of_approvals(place):
    file = written(place.inner / "approvals.json", json.dumps({"skillhost.approvals": 1, "skills": {}}))
    trust = {"approvals": str(file), "rules": [{"sources": ["team"], "action": "warn"}]}
    return file, ("review", "list", "--all", "--config", configuration(place, trust=trust))


def of_approvals_key(place):
    made = run("key", "new", place.base / "reviewers.pem")
    assert made.returncode == 0, made.stderr
    file = place.inner / "reviewers.pem.pub"
    shutil.copy(place.base / "reviewers.pem.pub", file)
    file.chmod(0o644)
    approvals = written(place.base / "approvals.json", json.dumps({"skillhost.approvals": 1, "skills": {}}))
    trust = {"approvals": str(approvals), "approvals_keys": [str(file)], "rules": [{"sources": ["team"], "action": "warn"}]}
    config = configuration(place, trust=trust)
    signed = run("review", "sign", place.base / "reviewers.pem", "--config", config)
    assert signed.returncode == 0, signed.stderr
    return file, ("review", "list", "--all", "--config", config)


def of_tokens(place):
    file = place.inner / "tokens"
    made = run("token", "add", "ada", "--file", file, "--scope", "skills:read")
    assert made.returncode == 0, made.stderr
    return file, ("token", "list", "--file", file)


def of_tls_key(place):
    file, certificate = place.inner / "key.pem", place.base / "server.pem"
    made = subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                           "-keyout", str(file), "-out", str(certificate)], capture_output=True, check=False)
    assert made.returncode == 0, made.stderr
    file.chmod(0o600)
    # The address does not exist, so the start fails either way; its message shows whether the key was accepted.
    return file, ("serve", "--transport", "http", "--listen", "127.0.0.1:0", "--tls-certificate", certificate, "--tls-key", file,
                  "--no-config", "--skills-dir", place.skills)


KINDS = {"configuration": of_configuration, "${file:}": of_secret, "skills.lock": of_skills_lock, "plugins.lock": of_plugins_lock,
         "plugin": of_plugin, "approvals": of_approvals, "key of approvals": of_approvals_key, "tokens": of_tokens, "TLS key": of_tls_key}


def taken(command):
    """Returns "" when the command accepts the file, else the reason of the refusal."""
    if "serve" in command:
        with subprocess.Popen([SERVER, *map(str, command)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as server:
            told = ""
            for line in server.stderr:
                told += line
                if " serving on " in line:
                    server.terminate()
                    return ""
        return told
    done = run(*command)
    return "" if done.returncode == 0 else done.stderr + done.stdout


def link_of_stranger(file):
    """Replaces the file by a link, as another user makes one in a folder like /tmp, and can redirect it later."""
    file.rename(file.parent.parent / "real")
    file.parent.chmod(0o1777)
    file.symlink_to(file.parent.parent / "real")
    os.lchown(file, STRANGER, STRANGER)


def access_list(file):
    """Sets user:33:rw, where the bits of the group are the mask: setfacl -m u:33:rw."""
    entries = [(1, 6, -1), (2, 6, 33), (4, 4, -1), (0x10, 6, -1), (0x20, 4, -1)]
    try:
        os.setxattr(file, "system.posix_acl_access", struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *entry) for entry in entries))
    except OSError as error:
        if error.errno != errno.EOPNOTSUPP:
            raise
        print("  the file system has no access control lists")
        file.chmod(0o666)
    wrote = subprocess.run(["setpriv", "--reuid", "33", "--regid", "33", "--clear-groups", "test", "-w", str(file)], timeout=DEADLINE, check=False)
    check(wrote.returncode == 0, f"control: user 33 may write {file}")


ATTACKS = {
    "others may write it": (lambda file: file.chmod(0o666), "chmod go-w"),
    "a group of others may write it": (lambda file: (os.chown(file, 0, STRANGER), file.chmod(0o664)), "chmod go-w"),
    "another user may write it by its access control list": (access_list, "chmod go-w"),
    "it is another user's": (lambda file: os.chown(file, STRANGER, 0), "chown 0"),
    "others may write its folder": (lambda file: file.parent.chmod(0o777), "chmod go-w"),
    "its folder is another user's": (lambda file: os.chown(file.parent, STRANGER, 0), "chown 0"),
    "a folder above it is another user's": (lambda file: os.chown(file.parent.parent, STRANGER, 0), "chown 0"),
    "it is a link of another user": (link_of_stranger, "chown -h 0"),
}


def refused(folder, kind, make):
    for number, (what, (attack, advice)) in enumerate(ATTACKS.items()):
        place = Place(folder, f"{kind.strip('${}:')} {number}")
        file, command = make(place)
        check(taken(command) == "", f"control: {kind}: it is taken: {taken(command)[-600:]}")
        attack(file)
        told = taken(command)
        # A file of tokens must be private anyway, and has a message of its own.
        advised = advice in told or (kind == "tokens" and ("chmod 600" in told or "must belong to" in told))
        check(advised and str(file) in told, f"{kind}: {what}: {told[-700:] or 'taken'}")


def mounted(mounts, config, refusal, what):
    """Reads the configuration where this is mounted (shell commands): it must be accepted if `refusal` is empty,
    else refused with that text."""
    done = subprocess.run(["unshare", "-m", "sh", "-c", f'{mounts} || exit 99; exec "$0" skill list --config "$1"', SERVER, str(config)],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=DEADLINE, check=False)
    if "unshare" in done.stderr or done.returncode == 99:
        print(f"  nothing can be mounted here: {what} is left out")
    elif refusal:
        check(done.returncode == 1 and refusal in done.stderr, f"{what}: {done.returncode} {done.stderr or 'taken'}")
    else:
        check(done.returncode == 0, f"{what}: {done.stderr}")


def of_config_map(folder):
    """Checks drwxrwxrwx without the sticky bit, as Kubernetes makes the folder of a ConfigMap, and mounts it
    read-only."""
    place = Place(folder, "config map")
    volume, there = place.base / "volume", place.base / "there"
    written(volume / "..2026/skillhost.json", configuration(place).read_text(encoding="utf-8"))
    there.mkdir()
    (volume / "..data").symlink_to("..2026")
    (volume / "skillhost.json").symlink_to("..data/skillhost.json")
    for path, mode in ((volume, 0o777), (volume / "..2026", 0o755), (there, 0o755)):
        path.chmod(mode)
    config, bind = there / "skillhost.json", f'mount --bind "{volume}" "{there}"'
    read_only = f'{bind} && mount -o remount,bind,ro "{there}"'
    mounted(read_only, config, "", "a ConfigMap of Kubernetes")
    mounted(bind, config, f"others may write {there}", "control: the same, mounted with writing")
    # A systemd unit with ProtectSystem=strict sees the whole machine like this, and others write the files outside.
    everything = 'mount -o remount,bind,ro /'
    mounted(everything, volume / "skillhost.json", f"others may write {volume}", "control: the same in a service's read-only view")
    (volume / "..2026/skillhost.json").chmod(0o666)
    mounted(read_only, config, "others may write", "a file in it that others may write")


def of_mounts(folder):
    """Checks mounted folders that may be a person's: /run/user/1000, a home on the network."""
    place = Place(folder, "mounts")
    home, there, users = place.base / "ada", place.base / "there", place.base / "passwd"
    there.mkdir()
    file = written(home / "skillhost.json", configuration(place).read_text(encoding="utf-8"))
    one = written(place.base / "one.json", "")
    written(users, "root:x:0:0:root:/root:/bin/sh\nada:x:1000:1000::/:/bin/sh\n")
    for path in (home, file):
        os.chown(path, 1000, 1000)
    config, known, bind = there / "skillhost.json", f'mount --bind "{users}" /etc/passwd', f'mount --bind "{home}" "{there}"'
    read_only = f'{known} && {bind} && mount -o remount,bind,ro "{there}"'
    mounted(f"{known} && {bind}", config, f"{there} belongs to user 1000", "mount: the home of another user")
    mounted(f"{read_only} && mount -o remount,bind,ro /", config, f"{there} belongs to user 1000", "mount: the home of another user in a service's read-only view")
    mounted(read_only, config, "", "control: it is mounted read-only, as by docker run -v")
    mounted(f'{known} && mount --bind "{file}" "{one}"', one, "", "control: a single file of a user")
    for path in (home, file):
        os.chown(path, STRANGER, STRANGER)
    mounted(f"{known} && {bind}", config, "", "control: its owner has no name, as in a container")


def of_groups(folder):
    """Checks groups whose users are in no list of members, because /etc/passwd names a user's first group."""
    place = Place(folder, "groups")
    file, _ = of_configuration(place)
    users, groups = place.base / "passwd", place.base / "group"
    add = 'mount --bind "%s" /etc/passwd && mount --bind "%s" /etc/group' % (users, groups)
    file.chmod(0o664)
    root = "root:x:0:0:root:/root:/bin/sh\n"
    for what, user, group, number, why in (
            ("www-data of Debian", "www-data:x:33:33::/:/bin/sh", "www-data:x:33:", 33, "others may write it"),
            ("another user's first group", "ada:x:1000:50::/:/bin/sh", "staff:x:50:", 50, "others may write it"),
            ("the first group of a person is root's", "ada:x:1000:0::/:/bin/sh", "daemon:x:1:", 0, "others may write it"),
            ("a person is listed in root's group", "ada:x:1000:1000::/:/bin/sh", "root:x:0:ada", 0, "others may write it"),
            ("control: staff, which nobody is in", "ada:x:1000:1000::/:/bin/sh", "staff:x:50:", 50, ""),
            ("control: root's group of Red Hat", "operator:x:11:0::/:/sbin/nologin", "root:x:0:", 0, "")):
        written(users, f"{root}{user}\n")
        written(groups, f"{group}\n")
        os.chown(file, 0, number)
        mounted(add, file, why, f"group: {what}")


def ordinary(folder):
    """Checks ordinary modes of files, which must not be refused."""
    place = Place(folder, "umask 002")
    file, command = of_configuration(place)
    for path, mode in ((file, 0o664), (place.inner, 0o775), (place.inner.parent, 0o2775)):
        path.chmod(mode)
    check(taken(command) == "", f"umask 002: {taken(command)}")
    place.inner.chmod(0o1777)
    check(taken(command) == "", f"below a folder as /tmp: {taken(command)}")
    # Kubernetes mounts a secret with fsGroup like this.
    mount = place.base / "mount"
    (mount / "..2026").mkdir(parents=True)
    mount.chmod(0o1777)
    shutil.copy(file, mount / "..2026/skillhost.json")
    (mount / "..data").symlink_to("..2026")
    (mount / "skillhost.json").symlink_to("..data/skillhost.json")
    for path, mode in ((mount / "..2026", 0o2750), (mount / "..2026/skillhost.json", 0o440)):
        os.chown(path, 0, STRANGER)
        path.chmod(mode)
    done = run("skill", "list", "--config", mount / "skillhost.json")
    check(done.returncode == 0, f"as Kubernetes mounts it: {done.stderr}")
    # A container's engine mounts a file unchanged, with the user who has started it as its owner.
    theirs, there = place.base / "theirs.json", written(place.base / "there.json", "")
    shutil.copy(file, theirs)
    os.chown(theirs, STRANGER, STRANGER)
    theirs.chmod(0o664)
    mounted(f'mount --bind "{theirs}" "{there}"', there, "", "a file that is mounted")
    check(run("skill", "list", "--config", theirs).returncode == 1, "control: the same file where it is")
    read, write = os.pipe()
    os.write(write, file.read_bytes())
    os.close(write)
    piped = subprocess.run([SERVER, "skill", "list", "--config", f"/dev/fd/{read}"], pass_fds=[read], stdin=subprocess.DEVNULL,
                           capture_output=True, text=True, timeout=DEADLINE, check=False)
    os.close(read)
    check(piped.returncode == 0, f"a pipe: {piped.stderr}")


def at_home(folder):
    """Checks a user other than root, at home with umask 002: the user's own group is in no list of groups."""
    home = Path(folder, "home")
    file = written(home / ".config/skillhost/skillhost.json", json.dumps({"page_size": 77}))
    link = home / "dotfiles.json"
    link.symlink_to(file)
    for path in (home, home / ".config", home / ".config/skillhost", file, link):
        os.lchown(path, STRANGER, STRANGER)
        if not path.is_symlink():
            path.chmod(0o664 if path == file else 0o775)
    for path in (file, link):
        done = run("--print-config", "--config", path, user=STRANGER, HOME=str(home))
        check(done.returncode == 0 and "77" in done.stdout, f"at home: {done.stderr}")
    os.chown(file, 0, 0)
    file.chmod(0o644)
    done = run("--print-config", "--config", file, user=STRANGER, HOME=str(home))
    check(done.returncode == 0, f"a file of root: {done.stderr}")
    os.chown(file, STRANGER + 1, STRANGER)
    done = run("--print-config", "--config", file, user=STRANGER, HOME=str(home))
    check(done.returncode == 1 and f"chown {STRANGER}" in done.stderr, f"a third user's: {done.returncode} {done.stderr}")


def exchanged(folder):
    """Runs the attack itself: another user replaces a file of root's."""
    place = Place(folder, "exchanged")
    file, command = of_configuration(place)
    os.chown(place.inner.parent, STRANGER, 0)
    moved = subprocess.run(["setpriv", "--reuid", str(STRANGER), "--regid", str(STRANGER), "--clear-groups",
                            "mv", str(place.inner), f"{place.inner.parent}/away"], capture_output=True, timeout=DEADLINE, check=False)
    check(moved.returncode == 0 and not file.exists(), f"control: another user moves root's folder away: {moved.stderr}")


def main():
    if os.geteuid() != 0 or not shutil.which("setpriv"):
        print("needs root and setpriv")
        return 77
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        os.chmod(folder, 0o755)
        for kind, make in KINDS.items():
            refused(folder, kind, make)
        ordinary(folder)
        of_config_map(folder)
        of_groups(folder)
        of_mounts(folder)
        at_home(folder)
        exchanged(folder)
    return checks.finish()


sys.exit(main())
