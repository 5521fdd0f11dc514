# SPDX-License-Identifier: Apache-2.0
"""Rules for every answer, so that no transcript has to repeat them."""

VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CACHEABLE = {
    "server/discover", "tools/list", "prompts/list", "resources/list", "resources/templates/list",
    "resources/read", "resources/directory/read", "skills/list", "skills/get",
}
OLDER_DIALECT = {"list_tools", "call_tool"}
TOOL_CODES = {
    "INVALID_INPUT", "MISSING_REQUIRED_FIELD", "INVALID_FORMAT", "ARRAY_TOO_LARGE", "NOT_FOUND",
    "ALREADY_EXISTS", "CONFLICT", "OPERATION_FAILED", "TOOL_TIMEOUT", "RATE_LIMITED",
    "MEMORY_PRESSURE", "INTERNAL_ERROR", "NOT_IMPLEMENTED", "SERVICE_UNAVAILABLE",
}
STANDARD_CODES = {-32700, -32600, -32601, -32602, -32603}
MODERN_CODES = {-32020, -32021, -32022}


def is_modern(request):
    """Returns whether the request carries the metadata that only the modern revision has."""
    params = request.get("params")
    meta = params.get("_meta") if isinstance(params, dict) else None
    return isinstance(meta, dict) and VERSION_KEY in meta


def violations(request, answer):
    """Returns one line for each rule that the answer to `request` breaks."""
    method, modern = request.get("method"), is_modern(request)
    if ("result" in answer) == ("error" in answer):
        return ["an answer holds either a result or an error"]
    if "error" in answer:
        return error_violations(answer["error"], method, modern)
    if method in OLDER_DIALECT:
        return []
    result = answer["result"]
    if not isinstance(result, dict):
        return ["a result is an object"]
    found = modern_violations(method, result) if modern else legacy_violations(result)
    if method == "tools/call":
        found += tool_violations(result)
    if method == "resources/read" and not result.get("contents"):
        found.append("resources/read never answers with empty contents")
    return found


def error_violations(error, method, modern):
    code = error.get("code")
    if not isinstance(code, int) or not isinstance(error.get("message"), str) or not error["message"]:
        return ["an error has an integer code and a message"]
    if method in OLDER_DIALECT or code in STANDARD_CODES:
        return []
    if code == -32002:
        return ["-32002 is not for the modern revision"] if modern else []
    if code in MODERN_CODES:
        return []
    return [f"the code {code} lies in the range reserved by JSON-RPC"] if -32768 <= code <= -32000 else []


def modern_violations(method, result):
    found = []
    if result.get("resultType") != "complete":
        found.append("a modern result says resultType complete")
    server = result.get("_meta", {}).get("io.modelcontextprotocol/serverInfo", {})
    if server.get("name") != "skillhost" or not isinstance(server.get("version"), str):
        found.append("a modern result names the server in _meta")
    if method in CACHEABLE:
        lifetime = result.get("ttlMs")
        if not isinstance(lifetime, int) or isinstance(lifetime, bool) or lifetime < 0:
            found.append("ttlMs is an integer of at least 0")
        if result.get("cacheScope") not in ("public", "private"):
            found.append("cacheScope is public or private")
    return found


def legacy_violations(result):
    return [f"the legacy wire has no {key}" for key in ("resultType", "ttlMs", "cacheScope") if key in result]


def tool_violations(result):
    content, envelope = result.get("content"), result.get("structuredContent")
    kept = result.get("_meta", {}).get("org.skillhost/result")
    text_alone = envelope is None
    if not text_alone and kept is not None:
        return ["an envelope stands in structuredContent or in _meta, never in both"]
    envelope = kept if text_alone else envelope
    if not isinstance(content, list):
        return ["a tool result has content"]
    # Only a success for a client that wants structured content alone has no text.
    if not content and (text_alone or result.get("isError")):
        return ["a tool result has content, where there is no structured content or a failure"]
    if content and (content[0].get("type") != "text" or not isinstance(content[0].get("text"), str)
                    or not content[0]["text"]):
        return ["the first content of a tool result is readable text"]
    if not isinstance(envelope, dict) or not isinstance(envelope.get("success"), bool):
        return ["structuredContent, or else _meta, has an envelope with success"]
    found = []
    if result.get("isError", False) is envelope["success"]:
        found.append("isError says the opposite of success")
    metadata = envelope.get("metadata")
    if not isinstance(metadata, dict) or not isinstance(metadata.get("durationMs"), (int, float)):
        return found + ["metadata.durationMs is a number"]
    if envelope["success"]:
        if ("data" in envelope) is text_alone or "error" in envelope:
            found.append("a success has data, but for that of text alone, and no error")
        for flag in ("cached", "truncated"):
            if not isinstance(metadata.get(flag), bool):
                found.append(f"metadata.{flag} is a boolean")
        return found
    error = envelope.get("error")
    if not isinstance(error, dict) or error.get("code") not in TOOL_CODES:
        return found + [f"error.code is none of the codes: {error}"]
    if not isinstance(error.get("message"), str) or not 0 < len(error["message"]) <= 1000:
        found.append("error.message is text of 1 to 1,000 characters")
    if not isinstance(error.get("retryable"), bool):
        found.append("error.retryable is a boolean")
    else:
        # Some hosts give a model nothing else of a failure.
        said = content[0]["text"]
        if not said.startswith(f"{error['code']}: {error.get('message')}\nRetryable: {'yes' if error['retryable'] else 'no'}"):
            found.append(f"the text of a failure says code, message and whether to try again: {said[:200]}")
    if "data" in envelope:
        found.append("a failure has no data")
    return found
