#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that a folder of host/ includes only folders below it, that a library of subprojects/ includes only libraries, that a
plugin includes nothing of the host, and that each foreign library is included where it is wrapped and nowhere else. Argument: the root of the project."""
import pathlib
import re
import sys

# From top to bottom: each folder may include itself and what follows it.
ORDER = ["app", "http", "mcp", "runtime", "access", "skills", "search", "plugin", "plugin_calls", "settings", "commandline", "jsonschema", "skillcheck", "skillmd", "database", "oauth", "http_client", "net", "mcp_client", "rpc", "base", "ground"]
# The folders of subprojects/, which know nothing of serving.
LIBRARIES = ("plugin_calls", "settings", "commandline", "jsonschema", "skillcheck", "skillmd", "database", "oauth", "http_client", "net", "mcp_client", "rpc", "base", "ground")
# Libraries for features. Each wraps a third-party library (RE2, SQLite, libcurl) for what no folder of the host needs.
OF_FEATURES = {"skillcheck", "database", "oauth", "http_client"}
# Folders that may include less than everything below them.
NARROWER = {"plugin_calls": {"plugin_calls", "base", "ground"}, "commandline": {"commandline", "base", "ground"}, "settings": {"settings", "commandline", "base", "ground"}, "jsonschema": {"jsonschema", "base", "ground"}, "skillcheck": {"skillcheck", "skillmd", "base", "ground"}, "skillmd": {"skillmd", "base", "ground"}, "oauth": {"oauth", "http_client", "base", "ground"}, "http_client": {"http_client", "ground"}, "net": {"net", "base", "ground"}, "mcp_client": {"mcp_client", "base", "ground"}, "rpc": {"rpc", "base", "ground"}, "database": {"database"}}

# Start of an include -> where it may appear (below host/), and in how many files at most.
FOREIGN = {
    "skillhost/": (["plugin/", "plugin_calls/"], None),
    "boost/dll": (["plugin_calls/"], 1),
    "boost/beast": (["net/"], 1),
    "boost/asio": (["net/"], 1),
    "yaml-cpp/": (["skillmd/", "settings/"], None),
    "sqlite3.h": (["database/sqlite.cpp"], 1),
    "re2/": (["skillcheck/", "jsonschema/pattern.cpp"], None),
    "CLI/": (["commandline/"], 1),
    "curl/": (["http_client/"], 1),
    "openssl/": (["net/http/tls", "ground/"], None),
    "valijson/": (["jsonschema/"], 1),
}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)


def allowed(folder):
    if folder in NARROWER:
        return NARROWER[folder]
    below = set(ORDER[ORDER.index(folder):])
    return below if folder in LIBRARIES else below - OF_FEATURES


def includes(path):
    return INCLUDE.findall(path.read_text())


def sources(folder):
    """Returns the sources that are delivered: tests may include anything."""
    return sorted(path for path in folder.rglob("*") if path.suffix in {".c", ".cpp", ".h", ".hpp"} and "tests" not in path.relative_to(folder).parts)


def violations(host, libraries=None):
    """Yields a sentence for every forbidden include. `host` is the folder host/, `libraries` the folder subprojects/."""
    users = {start: set() for start in FOREIGN}
    files = [(path, path.relative_to(host).as_posix()) for path in sources(host)]
    for library in LIBRARIES if libraries else ():
        files += [(path, path.relative_to(libraries).as_posix()) for path in sources(libraries / library)]
    for path, name in files:
        folder = name.split("/")[0] if "/" in name else "app"
        if folder not in ORDER:
            yield f"{name}: {folder} has no place in the order of folders"
            continue
        for _, header in includes(path):
            target = header.split("/")[0]
            if "/" in header and target in ORDER and target not in allowed(folder):
                yield f"{name}: includes {header}, but {folder} may not use {target}"
            if ".." in header.split("/"):
                yield f"{name}: includes {header}: climbing out of a folder hides where it leads"
            for start in FOREIGN:
                if header.startswith(start):
                    users[start].add(name)
    for start, names in users.items():
        places, most = FOREIGN[start]
        for name in sorted(names):
            if not any(name.startswith(place) for place in places):
                yield f"{name}: includes <{start}…>, which belongs to {' or '.join(places) or 'programs and plugins'} alone"
        if places and most is not None and len(names) > most:
            yield f"<{start}…> is wrapped by {most} file, but included in {', '.join(sorted(names))}"


def checker_violations(check):
    """Yields the same for plugin-api/check and plugin-api/handlers, which may only use the plugin API and the host's vocabulary.
    The check also compares a plugin's schema as the host does."""
    for path in sources(check):
        name = path.relative_to(check).as_posix()
        for _, header in includes(path):
            target = header.split("/")[0]
            if "/" in header and target in ORDER and target not in ("base", "ground") and (check.name, target) != ("check", "jsonschema"):
                yield f"plugin-api/{check.name}/{name}: includes {header}, but may use base and the ground alone"


# Separate programs may use only these parts of the server: the vocabulary, the command line as data, and the libraries
# below the sessions.
PROGRAMS_MAY = ("base/", "ground/", "commandline/", "settings/", "app/log_configuration.hpp", "app/process.hpp",
                "app/surroundings.hpp", "skills/catalogue.hpp",
                "app/plugin_isolation.hpp", "rpc/", "mcp_client/", "skillmd/", "skillcheck/", "net/", "http_client/", "oauth/")
# A command that shows what a server would serve starts parts of a host. These are the parts of skillhost-catalogue, and
# every folder with the dependency app. A folder with the dependency configuration accepts the options of the server, or
# reads a configuration.
HAS_ALL_OF_THE_SERVER = re.compile(r"^(?!#).*\b(catalogue_command\w*|app)\b", re.MULTILINE)
KNOWS_THE_CONFIGURATION = re.compile(r"^(?!#).*\bconfiguration\b", re.MULTILINE)
CONFIGURATION = ("configuration/", "command_line/")


def program_violations(programs):
    """Yields the same for programs/. The server links none of them, and they may use little of it."""
    folders = {*ORDER, "command_line", "configuration"}
    for path in sources(programs):
        page = programs / path.relative_to(programs).parts[0] / "meson.build"
        needs = page.read_text(encoding="utf-8") if page.is_file() else ""
        if HAS_ALL_OF_THE_SERVER.search(needs):
            continue
        may = (*PROGRAMS_MAY, *CONFIGURATION) if KNOWS_THE_CONFIGURATION.search(needs) else PROGRAMS_MAY
        for _, header in includes(path):
            if "/" in header and header.split("/")[0] in folders and not header.startswith(may):
                yield f"programs/{path.relative_to(programs).as_posix()}: includes {header}, but may use {', '.join(may)} alone"


def isolation_violations(isolation, host):
    """Yields the same for isolation/, which may use nothing of the host, and for the host, where only one source may
    use isolation/."""
    for path in sources(isolation):
        for _, header in includes(path):
            if header.split("/")[0] in ORDER and "/" in header and not header.startswith(("plugin_calls/", "base/", "ground/")):
                yield f"isolation/{path.relative_to(isolation).as_posix()}: includes {header}, but may use subprojects/plugin_calls, base and the ground alone"
    for path in sources(host):
        name = path.relative_to(host).as_posix()
        for _, header in includes(path):
            if header.startswith("isolation/") and name != "app/plugin_isolation.cpp":
                yield f"{name}: includes {header}, which app/plugin_isolation.cpp does alone"


PLUGINS_MAY = ("ground/", "http_client/", "mcp_client/", "oauth/", "rpc/")


def plugin_violations(plugins):
    """Yields the same for plugins, which may include only the plugin API, plugins/shared, the ground,
    http_client, and the libraries of clients (mcp_client, oauth, rpc). A folder of plugins/ may have the name of a folder of the host."""
    files = [path for path in sources(plugins) if path.relative_to(plugins).parts[0] not in FEATURES_MAY]
    own = tuple(path.as_posix() for path in files)
    for path in files:
        for _, header in includes(path):
            if "/" in header and header.split("/")[0] in ORDER and not header.startswith(PLUGINS_MAY) and not any(one.endswith(f"/{header}") for one in own):
                yield f"plugins/{path.relative_to(plugins).as_posix()}: includes {header}, but may use {', '.join(PLUGINS_MAY)} and plugins/shared alone"


# The features in these folders of plugins/ are linked into the server, and may use these parts of it. The configuration
# holds their settings by key. Only the sources that make a feature, or its settings from them (ADAPTERS), know the
# configuration.
FEATURES_MAY = {"http": ("http/", "mcp/", "access/", "skills/", "skillcheck/", "net/", "base/", "ground/"),
                "observers": ("plugin/observer.hpp", "plugin/use.hpp", "mcp/", "access/", "skills/", "skillmd/", "database/", "http_client/", "base/", "ground/"),
                "filters": ("mcp/", "access/", "skills/", "skillcheck/", "skillmd/", "plugin/", "base/", "ground/"),
                "replicas": ("plugin/", "base/", "ground/")}
ADAPTERS = ("feature.cpp", "feature.hpp", "configured.cpp", "configured.hpp")
ADAPTERS_MAY = {"http": ("app/", "settings/"), "observers": ("app/", "settings/"), "filters": ("app/", "settings/"), "replicas": ("app/",)}


def feature_violations(plugins):
    for kind, has in FEATURES_MAY.items():
        for path in sources(plugins / kind):
            may = (*has, *ADAPTERS_MAY[kind]) if path.name in ADAPTERS else has
            for _, header in includes(path):
                if "/" in header and header.split("/")[0] in ORDER and not header.startswith(may):
                    yield f"plugins/{path.relative_to(plugins).as_posix()}: includes {header}, but may use {', '.join(may)} alone"


def other_feature_violations(host, plugins):
    """Yields includes of a feature's header in the host or in another feature, because either would break when the
    feature is removed."""
    owners = {folder.name: folder for kind in FEATURES_MAY if (plugins / kind).is_dir() for folder in (plugins / kind).iterdir()
              if folder.name != "digests" and (folder / "meson.build").is_file()}
    for path in (*sources(host), *(path for kind in FEATURES_MAY for path in sources(plugins / kind))):
        for _, header in includes(path):
            owner = owners.get(header.split("/")[0]) if "/" in header else None
            if owner and not path.is_relative_to(owner):
                yield f"{path.relative_to(host.parent).as_posix()}: includes {header} of the feature {owner.name}"


def ground_violations(ground):
    """Yields the same for the ground, which knows neither MCP nor the plugin interface: it includes only itself and
    foreign libraries."""
    for path in sources(ground):
        for kind, header in includes(path):
            if header.startswith("skillhost/") or (kind == '"' and "/" in header and not header.startswith("ground/")):
                yield f"subprojects/ground/{path.relative_to(ground).as_posix()}: includes {header}, but may use the ground alone"


def main():
    root = pathlib.Path(sys.argv[1])
    host, check, programs = root / "host", root / "plugin-api" / "check", root / "programs"
    handlers = root / "plugin-api" / "handlers"
    ground = root / "subprojects" / "ground"
    found = [*violations(host, ground.parent), *checker_violations(check), *checker_violations(handlers), *program_violations(programs), *isolation_violations(root / "isolation", host), *plugin_violations(root / "plugins"), *feature_violations(root / "plugins"), *other_feature_violations(host, root / "plugins"), *ground_violations(ground)]
    for sentence in found:
        print(sentence)
    count = sum(len(sources(one)) for one in (host, root / "isolation", check, handlers, programs, root / "plugins", *(ground.parent / library for library in LIBRARIES)))
    print(f"{count} files of host/, isolation/, plugin-api/, plugins/, programs/ and subprojects/ checked, {len(found)} violations")
    return 1 if found or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
