# SPDX-License-Identifier: Apache-2.0
"""FastMCP's client lists and loads all that a server has, as one JSON object: fastmcp_client.py SERVER ARGUMENT..."""
import asyncio
import json
import os
import sys

from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from fastmcp.skills import SkillsClientExtension

from everything import loaded, of


async def main():
    transport = StdioTransport(sys.argv[1], sys.argv[2:], env=dict(os.environ), keep_alive=False)
    async with Client(transport, extensions=[SkillsClientExtension()]) as client:
        skills = await of("skills/list", client.list_skills())
        for skill in skills:
            if await of(f"skills/get {skill.uri}", client.get_skill(skill.uri)) != skill:
                sys.exit(f"skills/get differs from skills/list: {skill.uri}")
        tools = await of("tools/list", client.list_tools())
        resources = await of("resources/list", client.list_resources())
        prompts = await of("prompts/list", client.list_prompts())
        found = await loaded([one.name for one in prompts], [str(one.uri) for one in resources],
                             lambda name, given: client.call_tool(name, given, raise_on_error=False),
                             client.get_prompt, client.read_resource)
        found |= {"skills": [one.uri for one in skills], "tools": [one.name for one in tools]}
        print(json.dumps(found))


asyncio.run(main())
