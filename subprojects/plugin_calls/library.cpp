// SPDX-License-Identifier: Apache-2.0
#include "plugin_calls/library.hpp"

#include "ground/trusted_path.hpp"

#include <string>
#include <string_view>
#include <vector>

#include <boost/dll/library_info.hpp>
#include <boost/dll/shared_library.hpp>

#include <dlfcn.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace skillhost {
namespace {

// Reads the symbols before it loads, so that the constructors of a file that is no plugin never
// run.
bool namesEntry(const std::string &path) {
  boost::dll::library_info file(std::filesystem::path(path), true);
  const std::vector<std::string> symbols = file.symbols();
  return std::find(symbols.begin(), symbols.end(), SKH_ENTRY_SYMBOL) != symbols.end();
}

Result<const skh_entry *> checkEntry(const skh_entry &entry) {
  if (entry.magic != SKH_MAGIC) return {Fault::InvalidFormat, "its entry has a wrong magic number"};
  constexpr auto least = static_cast<std::uint32_t>(sizeof(skh_entry));
  if (entry.size < least)
    return {Fault::InvalidFormat,
            "its entry is " + std::to_string(entry.size) + " bytes, not " + std::to_string(least)};
  if (entry.needs_minor > SKH_ABI_MINOR)
    return {Fault::NotImplemented, "it needs plugin API 1." + std::to_string(entry.needs_minor) +
                                       "; this host has 1." + std::to_string(SKH_ABI_MINOR)};
  if (entry.plugins == nullptr || entry.plugins[0] == nullptr)
    return {Fault::InvalidFormat, "its entry names no plugin"};
  return &entry;
}

// True if the table reaches as far as its last mandatory function and has all of these.
bool complete(const skh_source &ops) {
  return SKH_HAS(&ops, read) && ops.list != nullptr && ops.read != nullptr;
}
bool complete(const skh_search &ops) {
  return SKH_HAS(&ops, query) && ops.put != nullptr && ops.remove != nullptr &&
         ops.commit != nullptr && ops.query != nullptr;
}
bool complete(const skh_tools &ops) {
  return SKH_HAS(&ops, call_tool) && ops.list != nullptr && ops.call_tool != nullptr;
}
bool complete(const skh_state &ops) {
  return SKH_HAS(&ops, receive) && ops.check != nullptr && ops.get != nullptr &&
         ops.put != nullptr && ops.compare_and_set != nullptr && ops.erase != nullptr &&
         ops.add != nullptr && ops.publish != nullptr && ops.subscribe != nullptr &&
         ops.unsubscribe != nullptr && ops.receive != nullptr;
}
// True if the table reaches as far as flush() and has a function for each event that it wants.
bool complete(const skh_observer &ops) {
  const auto has = [&](std::uint32_t event, auto function) {
    return (ops.wants & event) == 0 || function != nullptr;
  };
  return SKH_HAS(&ops, flush) && has(SKH_EVENT_CALL_ENDED, ops.call_ended) &&
         has(SKH_EVENT_REFUSED, ops.refused) && has(SKH_EVENT_AUDIT_RECORD, ops.audit_record) &&
         has(SKH_EVENT_CATALOGUE_CHANGED, ops.catalogue_changed) &&
         has(SKH_EVENT_LOG_RECORD, ops.log_record);
}
bool complete(const skh_http &ops) { return SKH_HAS(&ops, handle) && ops.routes != nullptr; }

} // namespace

bool isComplete(const skh_plugin &plugin) {
  const bool whole = plugin.size >= offsetof(skh_plugin, extension) && plugin.kind != nullptr &&
                     plugin.id != nullptr && plugin.version != nullptr &&
                     plugin.summary != nullptr && plugin.licence != nullptr &&
                     plugin.ops != nullptr && plugin.create != nullptr && plugin.destroy != nullptr;
  if (!whole) return false;
  if (plugin.kind == sourceKind) return complete(*static_cast<const skh_source *>(plugin.ops));
  if (plugin.kind == searchKind) return complete(*static_cast<const skh_search *>(plugin.ops));
  if (plugin.kind == toolsKind) return complete(*static_cast<const skh_tools *>(plugin.ops));
  if (plugin.kind == observerKind) return complete(*static_cast<const skh_observer *>(plugin.ops));
  if (plugin.kind == httpKind) return complete(*static_cast<const skh_http *>(plugin.ops));
  // A serial state plugin is incomplete, because receive() would keep all other calls waiting.
  if (plugin.kind == stateKind)
    return (plugin.flags & SKH_SERIAL) == 0 &&
           complete(*static_cast<const skh_state *>(plugin.ops));
  return true;
}

Status checkOwnership(const std::string &path, std::string_view remedy) {
  struct stat folder{};
  if (::stat(path.c_str(), &folder) != 0)
    return {Fault::NotFound, path + ": " + std::generic_category().message(errno)};
  if (Status trusted = checkTrusted(path); !trusted) return trusted;
  // A plugin may load libraries from its folder, and in /tmp everybody may put one beside it.
  const std::string parent = std::filesystem::path(path).parent_path().string();
  if (::stat(parent.c_str(), &folder) == 0 && (folder.st_mode & S_IWOTH) != 0)
    return {Fault::Denied, path + ": others may write " + parent + "; run chmod go-w " + parent +
                               std::string(remedy)};
  return Done{};
}

namespace {

// The library that reads the symbols says of a missing or damaged file only "iostream error".
Status checkFile(const std::string &opened) {
  struct stat file{};
  if (::stat(opened.c_str(), &file) != 0)
    return {Fault::NotFound, errno == ENOENT ? std::string("there is no such file")
                                             : std::generic_category().message(errno)};
  constexpr std::string_view magic = "\177ELF";
  std::string start(magic.size(), ' ');
  // A pipe is not opened, because that could wait for ever.
  const bool isShared = S_ISREG(file.st_mode) &&
                        std::ifstream(opened, std::ios::binary)
                            .read(start.data(), static_cast<std::streamsize>(start.size())) &&
                        start == magic;
  if (!isShared) return {Fault::InvalidFormat, "not a shared object"};
  return Done{};
}

Result<const skh_entry *> openFile(const std::string &opened, bool isCopy) {
  if (Status usable = checkFile(opened); !usable) return usable.failure();
  try {
    if (!namesEntry(opened))
      return {Fault::InvalidFormat, std::string("it does not export ") + SKH_ENTRY_SYMBOL};
    namespace mode = boost::dll::load_mode;
    // The library has no name for RTLD_NODELETE, but passes it on: code that threads, exit handlers
    // or static data may still point into stays mapped when this handle is destroyed.
    const auto flags = static_cast<mode::type>(mode::rtld_now | mode::rtld_local | RTLD_NODELETE);
    const boost::dll::shared_library library(std::filesystem::path(opened), flags);
    return checkEntry(library.get<const skh_entry>(SKH_ENTRY_SYMBOL));
  } catch (const std::ios_base::failure &) {
    return {Fault::InvalidFormat, "it is cut short or damaged"};
  } catch (const std::exception &why) {
    std::string text = std::string("it cannot be loaded: ") + why.what();
    // A copy has no folder of its own, and the libraries beside the file are on no list.
    if (isCopy && text.find("cannot open shared object file") != std::string::npos)
      text += "; under plugins.lock no library beside a plugin ($ORIGIN) is loaded: link it into "
              "the plugin";
    return {Fault::InvalidFormat, std::move(text)};
  }
}

} // namespace

Result<const skh_entry *> openPlugin(const std::string &path, int copy) {
  return openFile(copy < 0 ? path : "/proc/self/fd/" + std::to_string(copy), copy >= 0);
}

} // namespace skillhost
