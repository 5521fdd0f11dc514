# SPDX-License-Identifier: Apache-2.0
"""The skillhost server, as a program in a Python package: `python -m skillhost_mcp`, or the command `skillhost-mcp` or `skillhost`."""
