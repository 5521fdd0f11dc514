# SPDX-License-Identifier: Apache-2.0
"""The official Python client lists and loads all that a server has, as one JSON object:
mcp_client.py SERVER ARGUMENT... It knows nothing of the skills extension, so skills are not asked for."""
import asyncio
import json
import os
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import PaginatedRequestParams

from everything import loaded, of


async def pages(member, ask):
    items, cursor = [], None
    while True:
        page = await of(f"{member}/list", ask(params=PaginatedRequestParams(cursor=cursor) if cursor else None))
        items += getattr(page, member)
        cursor = page.next_cursor
        if cursor is None:
            return items


async def main():
    parameters = StdioServerParameters(command=sys.argv[1], args=sys.argv[2:], env=dict(os.environ))
    async with stdio_client(parameters) as (reading, writing), ClientSession(reading, writing) as session:
        await session.initialize()
        tools = await pages("tools", session.list_tools)
        resources = await pages("resources", session.list_resources)
        prompts = await pages("prompts", session.list_prompts)

        async def read(uri):
            return (await session.read_resource(uri)).contents

        found = await loaded([one.name for one in prompts], [str(one.uri) for one in resources],
                             session.call_tool, session.get_prompt, read)
        print(json.dumps(found | {"tools": [one.name for one in tools]}))


asyncio.run(main())
