// SPDX-License-Identifier: Apache-2.0
#include "served_versions.hpp"

#include "files/whole_file.hpp"
#include "ground/blake3.hpp"
#include "ground/folder.hpp"
#include "ground/hexadecimal.hpp"

#include <skillhost/plugin.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

namespace skillhost::store_source {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int fileFormat = 1;
constexpr std::size_t maxFileBytes = std::size_t{64} << 20U;
constexpr std::size_t maxRememberedSkills = 200'000; // limit of remembered skills

std::string digestText(const std::string &text) {
  Blake3 hash;
  hash.add(text);
  return hexadecimal(hash.finish()).substr(0, 16);
}

// Returns the plugin's part of a folder's name. The host builds the name from the instance, '-', 16
// digits for the plugin, and sometimes '-' and a number. The instance's name may contain all that
// as well, so this parses from the end. Empty if the name has another form.
std::string_view pluginOf(std::string_view folder) {
  constexpr std::size_t digits = 16, maxNumberDigits = 3;
  const auto last = [&] { return folder.substr(folder.rfind('-') + 1); };
  const std::string_view number = last();
  if (number.size() < folder.size() && !number.empty() && number.size() <= maxNumberDigits &&
      number.find_first_not_of("0123456789") == number.npos)
    folder.remove_suffix(number.size() + 1);
  const std::string_view plugin = last();
  return plugin.size() + 1 < folder.size() && isHexadecimal(plugin, digits) ? plugin
                                                                            : std::string_view();
}

// Identifies the trust settings. An instance with less trust may have served versions that others
// would refuse, so only instances with equal trust are compared.
std::string trustText(const store::Trust &trust) {
  std::string text = trust.key ? "key " + hexadecimal(*trust.key) : "no key";
  text += " policy " + std::to_string(static_cast<int>(trust.signatures));
  std::vector<std::string> ids;
  ids.reserve(trust.keys.size());
  for (const store::SignatureKey &key : trust.keys) ids.push_back(key.id);
  std::sort(ids.begin(), ids.end());
  for (const std::string &id : ids) text += ' ' + id;
  return digestText(text);
}

} // namespace

ServedVersions::ServedVersions(std::string folder, const Settings &settings)
    : store_(settings.directory), trust_(trustText(settings.trust)), folder_(std::move(folder)),
      name_("served-" + digestText(settings.directory) + ".json") {
  if (folder_.empty()) return;
  files::removeRemains(folder_);
  learn(read((fs::path(folder_) / name_).string(), false));
  changed_ = false; // all this is on disk already
  // Folders of other plugins are ignored, because those plugins may write anything there.
  const std::string own = fs::path(folder_).filename().string();
  const std::string_view plugin = pluginOf(own);
  if (plugin.empty()) return;
  std::error_code error; // a confined instance sees only its own folder
  const fs::path all = fs::path(folder_).parent_path();
  for (const std::string &other : namesIn(all.string(), error)) {
    if (pluginOf(other) != plugin) continue;
    try {
      learn(read((all / other / name_).string(), true));
    } catch (const skh::Error &) {
      // The instance that owns the file reports the error.
    }
  }
}

std::string ServedVersions::refusal(const std::string &name, const ServedVersion &version) const {
  const std::scoped_lock lock(mutex_);
  const auto found = served_.find(name);
  if (found == served_.end()) return {};
  const ServedVersion &before = found->second;
  if (version.version > before.version ||
      (version.version == before.version && version.content == before.content))
    return {};
  const std::string number = std::to_string(version.version), last = std::to_string(before.version);
  return (version.version < before.version
              ? "version " + number + " is older than version " + last +
                    ", which was served before; "
              : "version " + number + " holds something else than when it was served before; ") +
         "if it is to be served all the same: skillhost skill rollback " + name + " --to " +
         number + " --above " + last + " --skill-dir " + store_;
}

void ServedVersions::add(const std::string &name, const ServedVersion &version) {
  const std::scoped_lock lock(mutex_);
  if (served_.size() >= maxRememberedSkills && !served_.contains(name)) return;
  ServedVersion &known = served_[name];
  if (version.version <= known.version) return;
  known = version;
  changed_ = true;
}

void ServedVersions::save() {
  const std::scoped_lock lock(mutex_);
  if (!changed_ || folder_.empty()) return;
  json skills = json::object();
  for (const auto &[name, version] : served_)
    skills[name] = {{"version", version.version}, {"content", version.content}};
  const json file{
      {"format", fileFormat}, {"store", store_}, {"trust", trust_}, {"skills", std::move(skills)}};
  files::writeFile((fs::path(folder_) / name_).string(),
                   file.dump(2, ' ', false, json::error_handler_t::replace) + "\n", Flush::Now);
  changed_ = false;
}

void ServedVersions::learn(const All &more) {
  for (const auto &[name, version] : more) add(name, version);
}

ServedVersions::All ServedVersions::read(const std::string &file, bool ofOthers) const {
  std::error_code error;
  if (!fs::exists(fs::symlink_status(file, error))) {
    if (error && error != std::errc::no_such_file_or_directory && !ofOthers)
      throw skh::Error(SKH_UNAVAILABLE, file + ": " + error.message());
    return {};
  }
  const json document = json::parse(files::readWhole(file, maxFileBytes), nullptr, false);
  try {
    if (document.at("format") != fileFormat || document.at("store") != store_)
      throw skh::Error(SKH_CORRUPT, "");
    if (ofOthers && document.at("trust") != trust_) return {};
    All all;
    for (const auto &[name, one] : document.at("skills").items()) {
      ServedVersion version{one.at("version").get<std::uint32_t>(),
                            one.at("content").get<std::string>()};
      if (version.version == 0 || !isHexadecimal(version.content, 64))
        throw skh::Error(SKH_CORRUPT, "");
      all.emplace(name, std::move(version));
    }
    return all;
  } catch (const std::exception &) {
    throw skh::Error(SKH_CORRUPT,
                     file + ": is damaged, so it is not known which versions were served before; "
                            "look at the store, and remove this file when what it holds is new "
                            "enough");
  }
}

} // namespace skillhost::store_source
