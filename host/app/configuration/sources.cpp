// SPDX-License-Identifier: Apache-2.0
// Reads the lists `sources`, `tools`, `observers` and `http_handlers`, and the filters of a source.
#include "configuration/keys.hpp"
#include "settings/members.hpp"

namespace skillhost::app {
namespace {

std::span<const SourceKey> keysOf(const SourceConfiguration &) { return sourceKeys(); }
std::span<const PluginEntryKey> keysOf(const PluginEntry &) { return pluginEntryKeys(); }

// `what` is the word for an entry in messages: "source".
template <class Entry>
void readEntries(Reading &reading, const Written &written, const std::string &what,
                 std::vector<Entry> &out) {
  if (written.kind != Written::Kind::List)
    return reading.problem(written,
                           "expected a list, each entry with a name, found " + written.described());
  const std::string key = reading.key;
  const bool resolve = reading.resolveReferences;
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < written.items.size(); ++i) {
    const Written &item = written.items[i];
    reading.key = key + '[' + std::to_string(i) + ']';
    if (item.kind != Written::Kind::Map) {
      reading.problem(item, "expected a map with a name, found " + item.described());
      continue;
    }
    const Written *enabled = item.find("enabled");
    const bool off =
        enabled != nullptr && enabled->kind == Written::Kind::Boolean && !enabled->boolean;
    // References of an entry that is switched off need not exist.
    reading.resolveReferences = resolve && !off;
    Entry entry;
    entry.key = reading.base + reading.key;
    reading.note(item);
    const std::size_t problems = reading.problems.size();
    readMembers(reading, item, keysOf(entry), entry);
    if (entry.name.empty() && reading.problems.size() == problems)
      reading.problem(item, "a name is missing: write for instance \"name: team-skills\"");
    if (entry.plugin.empty() && reading.problems.size() == problems)
      reading.problem(item, "a plugin is missing: write its name, its id or the path of its .so");
    for (const Entry &other : entries)
      if (!entry.name.empty() && other.name == entry.name)
        reading.problem(item, "a " + what + " before this one is named \"" + entry.name +
                                  "\" too: choose another name");
    entries.push_back(std::move(entry));
  }
  reading.key = key;
  reading.resolveReferences = resolve;
  out = std::move(entries);
}

template <class Entry> Json writeEntries(const std::vector<Entry> &entries) {
  Json list = Json::array();
  for (const Entry &entry : entries) list.push_back(writeMembers(keysOf(entry), entry));
  return list;
}

} // namespace

void readValue(Reading &reading, const Written &written, const Rule &,
               std::vector<SourceConfiguration> &out) {
  readEntries(reading, written, "source", out);
}
void readValue(Reading &reading, const Written &written, const Rule &,
               std::vector<PluginEntry> &out) {
  readEntries(reading, written, "plugin", out);
}

Json writeValue(const std::vector<SourceConfiguration> &sources, const Rule &) {
  return writeEntries(sources);
}
Json writeValue(const std::vector<PluginEntry> &entries, const Rule &) {
  return writeEntries(entries);
}

} // namespace skillhost::app
