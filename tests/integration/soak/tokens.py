# SPDX-License-Identifier: Apache-2.0
"""Tokens that come and go while they are used, and what a server has to say to each at any moment."""
import asyncio
import random
import secrets
import time

NEVER = float("inf")


class Token:
    """A token that is being revoked, or is about to expire, may be answered either way."""

    def __init__(self, name, text, earliest=NEVER, latest=NEVER):
        """It expires between these two moments."""
        self.name, self.text = name, text
        # The hour by which it does is rounded to a second of the wall clock.
        self.doubtful, self.dead = earliest - 1.5, latest + 1.5

    def wrong(self, status, asked, answered):
        """Whether 401 or anything else was the wrong answer to a request of that time."""
        if status == 401:
            return answered < self.doubtful
        return asked >= self.dead


class Tokens:
    """A file of them, changed by the command that operators use."""

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
        """One more, one less; every third has an end of its own and is only then taken out of the file."""
        await self.add(4 if self.added % 3 == 0 else None)
        old = [token for token in self.live if token.doubtful == NEVER or token.dead < time.monotonic()]
        if len(self.live) > self.most and old:
            await self.revoke(old[0])

    def any(self):
        """Mostly one that should work."""
        return random.choice(self.gone if random.random() < 0.1 else self.live)
