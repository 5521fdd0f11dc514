# SPDX-License-Identifier: Apache-2.0
"""Serves a folder of skills by the official SDK for Python and the skills extension of NimbleBrain's SDK:
nimblebrain_server.py FOLDER stdio|PORT"""
import sys
from pathlib import Path

from mcp.server import MCPServer
from nimblebrain_bundle_sdk.skills import MCPServerSkillsExtension, SkillDefinition

folder, where = sys.argv[1:]
skills = [SkillDefinition.from_directory(entry.parent) for entry in sorted(Path(folder).glob("*/SKILL.md"))]
server = MCPServer("nimblebrain", version="0.2.0", extensions=[MCPServerSkillsExtension(skills)])
if where == "stdio":
    server.run("stdio")
else:
    server.run("streamable-http", host="127.0.0.1", port=int(where))
