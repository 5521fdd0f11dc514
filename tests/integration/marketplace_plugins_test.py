#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests plugins that a marketplace.json takes from other repositories: marketplace_plugins_test.py SERVER."""
import json
import subprocess
import sys
import time

from git_servers import PythonServer, Repository, git
from github_server import GithubServer, api
from loopback import SilentServer, certificate
from session import DEADLINE
from source_cases import SLOWNESS, TOKEN, expect, names, run_cases, soon, text, told


def offer(market, **sources):
    folder = market.tree / ".claude-plugin"
    folder.mkdir(parents=True, exist_ok=True)
    plugins = [{"name": name, "source": source} for name, source in sources.items()]
    (folder / "marketplace.json").write_text(json.dumps({"plugins": plugins}))
    return market.push()


def repository(place, name, *skills):
    """Makes a repository; `name` is owner/name."""
    made = Repository(place.root, name)
    for skill in skills:
        made.skill(skill, f"Does {skill}.")
    made.push()
    return made


def await_names(session, expected):
    expect(soon(lambda: names(session) == sorted(expected)), f"{names(session)} {session.server.stderr()}")


def tokens_stay_with_the_owner(place):
    """Checks that each repository is looked at once, and that the token goes only to repositories of the same owner
    on the same host."""
    market = repository(place, "team/market", "own")
    repository(place, "team/tools", "hammer", "saw")
    repository(place, "others/things", "thing")
    made = certificate(place.folder)
    if not made:
        print("  skipped: openssl is not installed")
        return
    with PythonServer(place.root, certificate=made) as here, PythonServer(place.root, certificate=made) as elsewhere:
        offer(market,
              tools={"source": "url", "url": f"{here.url}/team/tools.git"},
              again={"source": "git-subdir", "url": f"{here.url}/team/tools.git", "path": "saw"},
              things={"source": "url", "url": f"{here.url}/others/things.git"},
              far={"source": "url", "url": f"{elsewhere.url}/team/tools.git", "sha": "0" * 40})
        config = {"url": f"{here.url}/team/market.git", "token": TOKEN, "ca_file": made[0],
                  "allow_private_addresses": True, "refresh_minutes": 0.02}
        with place.start(config) as session:
            await_names(session, ["hammer", "own", "remote/again", "saw", "thing"])
            expect(told(session, 'the plugin "far"'), session.server.stderr())
            expect("Body of thing" in text(session, "thing"), "the text of a marketplace skill")
            count = len(here.requests)
            expect(soon(lambda: session.listing() and len(here.requests) >= count + 6), "it looks again")
            looks = sorted(path.split("/info")[0] for method, path, _ in here.requests[count:count + 3])
            expect(looks == ["/others/things.git", "/team/market.git", "/team/tools.git"], f"a look asks {looks}")
            expect(not any(method == "POST" for method, _, _ in here.requests[count:]), "an unchanged look fetches nothing")
            place.end(session)
        given = {path.split("/")[1] for _, path, secret in here.requests if secret}
        expect(given == {"team"}, f"the token went to {given}")
        expect(elsewhere.requests and not any(secret for _, _, secret in elsewhere.requests), "or to another host")
        # Unless the operator allows it, nobody in this network is asked, and only https is used.
        asked = len(elsewhere.requests), len([1 for _, path, _ in here.requests if "things" in path])
        config.pop("allow_private_addresses")
        with place.start(config, cache=place.folder / "guarded") as session:
            expect(names(session) == ["own"], f"{names(session)}")
            expect(told(session, 'the plugin "things"', "must begin with https:// and the name of a host"), session.server.stderr())
            expect(names(session) == ["own"], f"{names(session)}")
        expect(asked == (len(elsewhere.requests), len([1 for _, path, _ in here.requests if "things" in path])),
               "an address of this network was asked")


def a_silent_one_keeps_nobody_waiting(place):
    """Checks that the repository's own skills are there at once, and that its changes are seen."""
    market = repository(place, "team/market", "own")
    repository(place, "team/tools", "hammer")
    with PythonServer(place.root) as here, SilentServer() as silent:
        offer(market, dead={"source": "url", "url": f"{silent.url}/x/dead.git"},
              tools={"source": "url", "url": f"{here.url}/team/tools.git"})
        config = {"url": f"{here.url}/team/market.git", "allow_private_addresses": True, "deadline_ms": 1000,
                  "refresh_minutes": 0.02}
        begun = time.monotonic()
        with place.start(config) as session:
            expect("own" in names(session), f"{names(session)}")
            print(f"  listed after {time.monotonic() - begun:.1f} s")
            market.skill("second", "Came later.")
            market.push()
            expect(soon(lambda: "second" in names(session)), session.server.stderr())
            expect(told(session, 'the plugin "dead"', "left out"), session.server.stderr())
            expect(soon(lambda: "hammer" in names(session)), f"its neighbour {session.server.stderr()}")
            place.end(session)


def a_lock_holds_them(place):
    market = repository(place, "team/market", "own")
    tools = repository(place, "team/tools", "hammer")
    with PythonServer(place.root) as here:
        commit = offer(market, gone={"source": "url", "url": f"{here.url}/team/none.git"},
                       tools={"source": "url", "url": f"{here.url}/team/tools.git"})
        config = {"url": f"{here.url}/team/market.git", "allow_private_addresses": True}
        command = place.command(config)

        def lock(*more):
            done = subprocess.run([*command[:command.index("--config")], "lock", *command[command.index("--config"):], *more],
                                  stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=DEADLINE * SLOWNESS)
            return done.returncode, done.stdout + done.stderr

        code, said = lock()
        expect(code == 1 and 'the plugin "gone"' in said, f"a lock of less than all: {code} {said}")
        commit = offer(market, tools={"source": "url", "url": f"{here.url}/team/tools.git"})
        code, said = lock()
        expect(code == 0, said)
        locked = json.loads((place.folder / "skills.lock").read_text())["sources"]["remote"]
        first = git(tools.tree, "rev-parse", "HEAD")
        expect(locked["snapshot"] == f"{commit}+{first}", f"{locked['snapshot']}")
        expect(sorted(locked["skills"]) == ["own", "tools/hammer"], f"{sorted(locked['skills'])}")
        tools.skill("saw", "Came later.")
        tools.push()
        for cache in (place.cache, place.folder / "cold"):
            place.sessions.append(session := place.locked(config, cache))
            with session:
                expect(names(session) == ["hammer", "own"], f"{names(session)} {session.server.stderr()}")
                place.end(session)
        place.sessions.append(session := place.locked(dict(config, marketplace_plugins=False), place.cache))
        with session:
            expect(names(session) == [], f"less than what is locked: {names(session)}")
            expect(told(session, "what the lock names can no longer be had"), session.server.stderr())
        place.command(config)
        code, said = lock("--check")
        expect(code == 1 and "tools/saw: is new" in said, said)


def beside_the_api(place):
    """Checks that the repository itself comes through the API and other repositories through git, and that a restart
    has both."""
    market = repository(place, "r", *[f"own-{i:02}" for i in range(30)])
    repository(place, "team/tools", "hammer")
    with PythonServer(place.root) as there, GithubServer(place.root) as server:
        offer(market, tools={"source": "url", "url": f"{there.url}/team/tools.git"})
        config = api(server, allow_private_addresses=True)
        with place.start(config) as session:
            expect(soon(lambda: len(names(session)) == 31), f"{names(session)} {session.server.stderr()}")
            expect("Body of hammer" in text(session, "hammer") and "Body of own-07" in text(session, "own-07"), "the texts")
            place.end(session)
        expect(server.kinds() == {"look": 1, "tarball": 1, "tree": 1}, f"{server.requests}")
        expect(not any(secret for _, _, secret in there.requests), "the token went to another host")
    with place.start(config) as session:
        expect(len(names(session)) == 31, f"from the cache: {names(session)}")
        expect("Body of hammer" in text(session, "hammer"), "its text")
        place.end(session)


if __name__ == "__main__":
    sys.exit(run_cases([tokens_stay_with_the_owner, a_silent_one_keeps_nobody_waiting, a_lock_holds_them, beside_the_api]))
