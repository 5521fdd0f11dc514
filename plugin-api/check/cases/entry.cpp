// SPDX-License-Identifier: Apache-2.0
// entry: examines the static description before any code of the plugin is called.
#include "cases.hpp"
#include "json_text.hpp"
#include "schema_text.hpp"

#include <cctype>
#include <cstring>
#include <set>

namespace skillhost::check {
namespace {

constexpr std::size_t maxPlugins = 64;

bool isDigits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos &&
         (text == "0" || text.front() != '0');
}

// Checks the three numbers of a semantic version. The rest is for people.
bool isVersion(std::string_view text) {
  text = text.substr(0, text.find_first_of("-+"));
  for (int part = 0; part < 2; ++part) {
    const std::size_t dot = text.find('.');
    if (dot == std::string_view::npos || !isDigits(text.substr(0, dot))) return false;
    text.remove_prefix(dot + 1);
  }
  return isDigits(text);
}

// True for words of letters, digits, '.', '-' and '+', joined by AND, OR and WITH, with brackets.
bool isLicence(std::string_view text) {
  bool word = false;
  for (const char c : text) {
    const bool letter = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (!letter && std::strchr(".-+() ", c) == nullptr) return false;
    word = word || letter;
  }
  return word;
}

bool isId(std::string_view id) {
  if (id.size() > 200 || id.find('.') == std::string_view::npos || id.front() == '.' ||
      id.back() == '.')
    return false;
  for (const char c : id)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && std::strchr(".-_", c) == nullptr)
      return false;
  return true;
}

bool hasFunctions(const skh_plugin &plugin) {
  if (isKind(plugin, sourceKind)) {
    const auto *ops = static_cast<const skh_source *>(plugin.ops);
    return ops->size >= offsetof(skh_source, changes) && ops->list != nullptr &&
           ops->read != nullptr;
  }
  if (isKind(plugin, searchKind)) {
    const auto *ops = static_cast<const skh_search *>(plugin.ops);
    return ops->size >= sizeof(skh_search) && ops->put != nullptr && ops->remove != nullptr &&
           ops->commit != nullptr && ops->generation != nullptr && ops->query != nullptr;
  }
  if (isKind(plugin, toolsKind)) {
    const auto *ops = static_cast<const skh_tools *>(plugin.ops);
    return ops->size >= sizeof(skh_tools) && ops->list != nullptr && ops->call_tool != nullptr;
  }
  if (isKind(plugin, stateKind)) {
    const auto *ops = static_cast<const skh_state *>(plugin.ops);
    return ops->size >= sizeof(skh_state) && ops->check != nullptr && ops->get != nullptr &&
           ops->put != nullptr && ops->compare_and_set != nullptr && ops->erase != nullptr &&
           ops->add != nullptr && ops->publish != nullptr && ops->subscribe != nullptr &&
           ops->unsubscribe != nullptr && ops->receive != nullptr;
  }
  if (isKind(plugin, observerKind)) {
    const auto *ops = static_cast<const skh_observer *>(plugin.ops);
    const auto has = [&](std::uint32_t event, auto function) {
      return (ops->wants & event) == 0 || function != nullptr;
    };
    return ops->size >= sizeof(skh_observer) && has(SKH_EVENT_CALL_ENDED, ops->call_ended) &&
           has(SKH_EVENT_REFUSED, ops->refused) && has(SKH_EVENT_AUDIT_RECORD, ops->audit_record) &&
           has(SKH_EVENT_CATALOGUE_CHANGED, ops->catalogue_changed) &&
           has(SKH_EVENT_LOG_RECORD, ops->log_record);
  }
  if (isKind(plugin, httpKind)) {
    const auto *ops = static_cast<const skh_http *>(plugin.ops);
    return ops->size >= sizeof(skh_http) && ops->routes != nullptr;
  }
  if (!isKind(plugin, authKind)) return true;
  const auto *ops = static_cast<const skh_auth *>(plugin.ops);
  return ops->size >= sizeof(skh_auth) && ops->check != nullptr && ops->validate != nullptr &&
         ops->describe != nullptr;
}

void checkDescription(Probe &probe, const skh_plugin &plugin) {
  if (plugin.size < sizeof(skh_plugin))
    fail("a plugin's description is " + std::to_string(plugin.size) + " bytes, not " +
             std::to_string(sizeof(skh_plugin)),
         "set size to sizeof(skh_plugin)");
  if (plugin.kind == nullptr || *plugin.kind == '\0')
    fail("a plugin has no kind", "such as \"skh.source/1\"");
  if (plugin.id == nullptr || *plugin.id == '\0')
    fail("a plugin has no id", "give it one of your own, such as \"org.example.gitlab\"");
  const std::string id = plugin.id;
  if (!isId(id)) fail("\"" + id + "\" is no id", "write it like \"org.example.gitlab\"");
  if (plugin.version == nullptr || !isVersion(plugin.version))
    fail(id + ": its version is not of the form 1.2.3", "see semver.org");
  if (plugin.licence == nullptr || !isLicence(plugin.licence))
    fail(id + ": its licence is no SPDX expression", R"(such as "Apache-2.0" or "MIT OR GPL-3.0")");
  if (plugin.summary == nullptr || *plugin.summary == '\0')
    fail(id + ": it has no summary", "one line for a person");
  if (std::strchr(plugin.summary, '\n') != nullptr)
    probe.warn(id + ": its summary is not one line");
  if (plugin.config_schema != nullptr) {
    if (const std::string fault = faultInObject(plugin.config_schema); !fault.empty())
      fail(id + ": its config_schema is no JSON Schema: " + fault,
           R"(a JSON object, such as {"type": "object"}, or NULL)");
    probe.step("its config_schema");
    if (const std::string fault = faultInSchema(plugin.config_schema); !fault.empty())
      fail(id + ": its config_schema cannot be used: " + fault,
           "a host then refuses the plugin: write JSON Schema of draft 7");
    probe.step("its description");
  }
  if (plugin.create == nullptr || plugin.destroy == nullptr)
    fail(id + ": it has no create() or no destroy()");
  bool known = false;
  for (const std::string_view kind :
       {sourceKind, searchKind, authKind, toolsKind, stateKind, observerKind, httpKind})
    known = known || isKind(plugin, kind);
  if (!known)
    probe.warn(id + ": hosts of 1.0 know no plugins of kind \"" + plugin.kind + "\" and skip it");
  if (known && (plugin.ops == nullptr || !hasFunctions(plugin)))
    fail(id + ": its table of functions lacks one that is required",
         "set its size to its sizeof, and every function but skh_source.changes and what "
         "tools.h, observer.h and http.h say may be NULL");
  if (isKind(plugin, stateKind) && (plugin.flags & SKH_SERIAL) != 0)
    fail(id + ": a plugin of the kind " + std::string(stateKind) + " cannot be SKH_SERIAL",
         "receive() waits while the others are called");
}

} // namespace

void checkEntry(Probe &probe) {
  const skh_entry &entry = probe.loadEntry();
  probe.step("its description");
  if (entry.magic != SKH_MAGIC) fail("the entry does not begin with SKH_MAGIC");
  if (entry.size < sizeof(skh_entry))
    fail("the entry is " + std::to_string(entry.size) + " bytes, not " +
             std::to_string(sizeof(skh_entry)),
         "set size to sizeof(skh_entry)");
  if (entry.needs_minor > SKH_ABI_MINOR)
    fail("it needs plugin API 1." + std::to_string(entry.needs_minor) + "; this is 1." +
             std::to_string(SKH_ABI_MINOR),
         "set needs_minor to the oldest that it can do with");
  if (entry.needs_minor > entry.abi_minor)
    fail("needs_minor is newer than abi_minor, which it was compiled with");
  if (entry.plugins == nullptr || entry.plugins[0] == nullptr) fail("the entry names no plugin");
  std::set<std::string> ids;
  std::size_t count = 0;
  for (const skh_plugin *const *plugin = entry.plugins; *plugin != nullptr; ++plugin) {
    if (++count > maxPlugins)
      fail("the list of plugins has no end", "its last element is to be NULL");
    checkDescription(probe, **plugin);
    if (!ids.insert((*plugin)->id).second)
      fail(std::string("two plugins have the id ") + (*plugin)->id, "an id is never used twice");
  }
  bool sockets = false;
  for (const skh_plugin *const plugin : knownPlugins(entry))
    sockets = sockets || (plugin->flags & SKH_NETWORK) != 0;
  probe.setNeedsSockets(sockets);
  std::string all;
  for (const std::string &id : ids) all += (all.empty() ? "" : ", ") + id;
  probe.note(all + ", for plugin API 1." + std::to_string(entry.abi_minor));
}

} // namespace skillhost::check
