# SPDX-License-Identifier: Apache-2.0
"""Serves a folder of skills by FastMCP over HTTP: fastmcp_server.py FOLDER PORT extension|resources
`extension` has the skills extension, `resources` FastMCP's older convention alone."""
import sys

from fastmcp import FastMCP
from fastmcp.server.providers.skills import SkillsDirectoryProvider
from fastmcp.skills.extension import SkillsExtension

has_extension = sys.argv[3] == "extension"
server = FastMCP("Skills", version="7.1")
provider = SkillsDirectoryProvider(sys.argv[1], reload=True, supporting_files="resources", experimental_skills=has_extension)
server.add_provider(provider)
if has_extension:
    server.add_extension(SkillsExtension(providers=[provider]))
server.run(transport="http", host="127.0.0.1", port=int(sys.argv[2]), show_banner=False)
