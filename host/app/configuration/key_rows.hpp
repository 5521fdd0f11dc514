// SPDX-License-Identifier: Apache-2.0
// What the tables of keys are written with: a row, and the rules and texts that several rows share.
#pragma once

#include "configuration/keys.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace skillhost::app::rows {

template <class Owner, auto... Members> constexpr auto &field(Owner &owner) {
  return (owner.*....*Members);
}

// The row for the field that is reached through these members, one after another.
template <class Owner, auto... Members>
constexpr Key<Owner> key(std::string_view name, std::string_view option, Rule rule,
                         std::string_view help) {
  using Value = std::remove_cvref_t<decltype(field<Owner, Members...>(std::declval<Owner &>()))>;
  Key<Owner> row{name, option, rule, help};
  row.shape = shapeOf(Identity<Value>{});
  if constexpr (requires { Names<Value>::all; }) row.choices = Names<Value>::all;
  if constexpr (requires { Names<typename Value::value_type>::all; })
    row.choices = Names<typename Value::value_type>::all;
  row.read = [](Reading &reading, const Written &written, const Key<Owner> &read, Owner &owner) {
    readValue(reading, written, read.rule, field<Owner, Members...>(owner));
  };
  row.write = [](const Owner &owner, const Key<Owner> &written) {
    return writeValue(field<const Owner, Members...>(owner), written.rule);
  };
  return row;
}

inline constexpr Rule any{};
inline constexpr Rule folders{1, 4'096, Meaning::Path};
inline constexpr Rule globs{1, 1'000, Meaning::Glob};
inline constexpr Rule plugins{1, 4'096, Meaning::Plugin};
inline constexpr Rule hosts{1, 300, Meaning::Host};
constexpr Rule between(std::uint64_t least, std::uint64_t most, std::uint64_t unit = 1) {
  return {least, most, Meaning::Plain, unit};
}
inline constexpr std::uint64_t megabyte = 1U << 20U;

inline constexpr std::string_view isolation =
    "Where its plugin runs: thread is the host's own process, process is a confined one of its "
    "own. auto: thread for the built-in plugins, process for all others.";
inline constexpr std::string_view sourceIsolation =
    "Where its plugin runs: thread is the host's own process, process is a confined one of its "
    "own. auto: thread for the built-in plugins, process for all others, and for those that fetch "
    "from elsewhere (github, well_known) too where other machines reach the server "
    "(http.listen).";
inline constexpr std::string_view allowRead =
    "Files and folders that a plugin in a process of its own may read, besides its own folder, the "
    "system's libraries and what its config names.";
inline constexpr std::string_view memory =
    "Memory that a plugin in a process of its own may have, in megabytes: what it uses where a "
    "cgroup is delegated to the server, else address space. 0: no limit.";
inline constexpr std::string_view cache =
    "What the cache folder of a plugin in a process of its own may hold, in megabytes; a process "
    "that keeps more is ended, and none is started until there is less. 0: no limit.";
inline constexpr std::string_view network =
    "What its plugin may reach. auto: what the plugin says it needs. none: nothing. Hosts, such as "
    "[api.github.com, \"*.example.org:8443\"]: these alone, on ports 80 and 443 unless one is "
    "named, by a proxy of the host; private addresses only when they or their networks "
    "(10.0.0.0/8) stand there too. Anything but auto takes the plugin into a process of its own.";
inline constexpr std::string_view threads =
    "How many of its calls run at once, each on a thread; what comes on top waits. More suit a "
    "plugin that waits for a network. A plugin that says it is serial has one. 0: as many as the "
    "machine has processors, at least 2 and at most 4.";

using RunNames = std::array<std::string_view, 6>;

// The rows of how a plugin runs, for the section or the entry that names it.
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

template <class Owner>
void insertBehind(std::vector<Key<Owner>> &rows, std::string_view name,
                  std::span<const Key<Owner>> more) {
  const auto place = std::find_if(rows.begin(), rows.end(),
                                  [&](const Key<Owner> &one) { return one.name == name; });
  rows.insert(place + 1, more.begin(), more.end());
}

template <class Owner>
std::vector<Key<Owner>> joined(std::span<const Key<Owner>> first,
                               std::span<const Key<Owner>> second) {
  std::vector<Key<Owner>> all(first.begin(), first.end());
  all.insert(all.end(), second.begin(), second.end());
  return all;
}

} // namespace skillhost::app::rows
