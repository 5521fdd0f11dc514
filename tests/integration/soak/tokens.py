# SPDX-License-Identifier: Apache-2.0
"""Tokens that are added and removed while they are used, and the right answers of a server to each at any
moment."""
import asyncio
import random
import secrets
import time

NEVER = float("inf")


class Token:
    """A token. While it is being revoked, or about to expire, both answers are right."""

    def __init__(self, name, text, earliest=NEVER, latest=NEVER):
        """Takes the two moments between which it expires."""
        self.name, self.text = name, text
        # The hour of the expiry is rounded to a second of the wall clock.
        self.doubtful, self.dead = earliest - 1.5, latest + 1.5

    def wrong(self, status, asked, answered):
        """Returns whether a status was wrong for a request that was sent and answered at these times."""
        if status == 401:
            return answered < self.doubtful
        return asked >= self.dead


class Tokens:
    """A file of tokens; the operators' command changes it."""

    def __init__(self, program, file, most):
        self.program, self.file, self.most = program, str(file), most
        self.live, self.gone = [], [Token("never", "skh_" + secrets.token_urlsafe(36), -NEVER, -NEVER)]
        self.added = self.revoked = 0

    async def command(self, *words):
        run = await asyncio.create_subprocess_exec(self.program, "token", *words, "--file", self.file,
                                                   stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE)
        out, err = await run.communicate()
        assert run.returncode == 0, err.decode()
        return out.decode().strip()

    async def add(self, seconds=None):
        name = f"soak{self.added}"
        self.added += 1
        limit = [] if seconds is None else ["--expires-in", f"{seconds}s"]
        begun = time.monotonic()
        text = await self.command("add", name, "--scope", "skills:read", *limit)
        ends = () if seconds is None else (begun + seconds, time.monotonic() + seconds)
        self.live.append(Token(name, text, *ends))

    async def revoke(self, token):
        token.doubtful = min(token.doubtful, time.monotonic())
        await self.command("revoke", token.name)
        token.dead = min(token.dead, time.monotonic())
        self.live.remove(token)
        self.gone = [*self.gone[-50:], token]
        self.revoked += 1

    async def churn(self):
        """Adds a token and removes one; every third expires by itself and is removed from the file only then."""
        await self.add(4 if self.added % 3 == 0 else None)
        old = [token for token in self.live if token.doubtful == NEVER or token.dead < time.monotonic()]
        if len(self.live) > self.most and old:
            await self.revoke(old[0])

    def any(self):
        """Returns a token that should mostly work."""
        return random.choice(self.gone if random.random() < 0.1 else self.live)
