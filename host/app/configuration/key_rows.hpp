// SPDX-License-Identifier: Apache-2.0
// Texts that several rows of the server's tables share, and the rows for how a plugin runs.
#pragma once

#include "configuration/keys.hpp"
#include "settings/key_rows.hpp"

#include <array>
#include <string_view>

namespace skillhost::app::rows {

using settings::rows::any;
using settings::rows::between;
using settings::rows::folders;
using settings::rows::globs;
using settings::rows::insertBehind;
using settings::rows::joined;
using settings::rows::key;
using settings::rows::megabyte;
using settings::rows::plugins;

inline constexpr Rule hosts{1, 300, Meaning::Host};
inline constexpr std::string_view isolation =
    "Where the plugin runs. thread: in the server's process. process: in a confined process of its "
    "own. auto: thread for the built-in plugins, process for all others.";
inline constexpr std::string_view sourceIsolation =
    "Where the plugin runs. thread: in the server's process. process: in a confined process of its "
    "own. auto: thread for the built-in plugins, process for all others, and for those that fetch "
    "from elsewhere (such as github) too where other machines reach the server (http.listen).";
inline constexpr std::string_view allowRead =
    "Files and folders that a plugin in a process of its own may read, besides its own folder, the "
    "system's libraries and what its config names.";
inline constexpr std::string_view memory =
    "Memory limit of a plugin in a process of its own, in megabytes. It limits used memory if a "
    "cgroup is delegated to the server, otherwise address space. 0: no limit.";
inline constexpr std::string_view cache =
    "Size limit of the cache folder of a plugin in a process of its own, in megabytes. The server "
    "ends a process that exceeds it, and starts none until the folder is smaller. 0: no limit.";
inline constexpr std::string_view network =
    "What the plugin may reach. auto: what the plugin says it needs. none: nothing. A list of "
    "hosts, such as [api.github.com, \"*.example.org:8443\"]: only these, through a proxy of the "
    "server, on ports 80 and 443 unless a port is named; private addresses only if the list also "
    "has them or their networks (10.0.0.0/8). Every value but auto moves the plugin into a process "
    "of its own.";
inline constexpr std::string_view threads =
    "How many calls of the plugin run at once, each on its own thread; further calls wait. A "
    "plugin that waits for a network can use more. A plugin that declares itself serial gets one. "
    "0: 8 for HTTP handlers and state plugins, 1 for observers, otherwise one for "
    "each processor, at least 2 and at most 4.";

using RunNames = std::array<std::string_view, 6>;

// Returns the rows for how a plugin runs, with the names of the section or entry that has them.
template <class Owner, auto... Members>
constexpr auto runRows(const RunNames &names, std::string_view isolationHelp,
                       std::string_view threadsHelp = threads) {
  using R = RunSettings;
  constexpr Rule megabytes = between(0, 1'048'576);
  return std::array{key<Owner, Members..., &R::isolation>(names[0], "", any, isolationHelp),
                    key<Owner, Members..., &R::allowRead>(names[1], "", folders, allowRead),
                    key<Owner, Members..., &R::memoryMegabytes>(names[2], "", megabytes, memory),
                    key<Owner, Members..., &R::cacheMegabytes>(names[3], "", megabytes, cache),
                    key<Owner, Members..., &R::network>(names[4], "", hosts, network),
                    key<Owner, Members..., &R::threads>(names[5], "", between(0, 64), threadsHelp)};
}

} // namespace skillhost::app::rows
