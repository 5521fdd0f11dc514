# SPDX-License-Identifier: Apache-2.0
"""Loads everything that a Python client has listed; an error names its question."""
import sys


async def of(what, work):
    """Returns the answer of `work`; an error ends the client with a message that names the question `what`."""
    try:
        return await work
    except Exception as error:
        sys.exit(f"{what}: {type(error).__name__}: {error}")


def text_of(contents):
    return "".join(getattr(one, "text", "") for one in contents)


async def loaded(prompts, resources, call, get, read):
    """Returns the results of load_skill and prompts/get for every prompt's name, and of resources/read for every resource."""
    found = {"loaded": {}, "asked": {}, "read": {}}
    for name in prompts:
        result = await of(f"load_skill {name}", call("load_skill", {"skill_name": name}))
        if result.is_error:
            sys.exit(f"load_skill {name}: {text_of(result.content)}")
        found["loaded"][name] = text_of(result.content)
        prompt = await of(f"prompts/get {name}", get(name))
        found["asked"][name] = text_of(message.content for message in prompt.messages)
    for uri in resources:
        contents = await of(f"resources/read {uri}", read(uri))
        found["read"][uri] = getattr(contents[0], "text", None)
    return found
