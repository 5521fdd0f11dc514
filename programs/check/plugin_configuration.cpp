// SPDX-License-Identifier: Apache-2.0
#include "plugin_configuration.hpp"

#include "base/secret_names.hpp"
#include "ground/json.hpp"
#include "settings/paths.hpp"
#include "settings/secrets.hpp"

#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <utility>

namespace skillhost {
namespace {

// Replaces references in the texts of a configuration by their values. An untrusted plugin must get
// nothing of the caller's, so a reference is a fault for it.
class ConfigurationTexts {
public:
  ConfigurationTexts(settings::Reading &reading, bool trusted) : reading_(reading) {
    if (!trusted)
      reading_.refusal = "a reference is looked up with --trusted alone: say so if you trust the "
                         "plugin, or write the text itself";
  }

  // `key` names the member that holds the value, or the list around the value.
  void resolve(Json &value, const std::string &key) {
    if (value.is_object())
      for (const auto &member : value.items()) resolve(member.value(), member.key());
    else if (value.is_array())
      for (Json &item : value) resolve(item, key);
    else if (value.is_string())
      value = resolved(value.get<std::string>(), key);
  }

private:
  std::string resolved(std::string text, const std::string &key) {
    if (settings::looksLikePath(text)) return text; // the plugin resolves it itself
    reading_.key = key;
    settings::Written written;
    written.kind = settings::Written::Kind::Text;
    written.text = std::move(text);
    return settings::readReference(reading_, written, isSecretSettingName(key));
  }

  settings::Reading &reading_;
};

} // namespace

Result<std::string> pluginFile(const CheckSettings &plugin) {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::canonical(plugin.file, error);
  if (error)
    return {Fault::NotFound, plugin.file + ": " + error.message() +
                                 "; name the plugin's file (skillhost plugins lists those found)"};
  if (!std::filesystem::is_regular_file(path, error))
    return {Fault::InvalidInput, plugin.file + ": is no file"};
  if (!std::ifstream(path)) return {Fault::Denied, plugin.file + ": " + std::strerror(errno)};
  return path.string();
}

Result<std::string> pluginConfiguration(const CheckSettings &plugin,
                                        const app::Surroundings &surroundings) {
  const std::string &name = plugin.configurationFile;
  if (name.empty()) return std::string{};
  errno = 0;
  std::ifstream file(name, std::ios::binary);
  if (!file) return {Fault::NotFound, name + ": " + std::strerror(errno)};
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (text.size() >= 1'000'000) return {Fault::TooLarge, name + ": is larger than 1,000,000 bytes"};
  Result<Json> value = parseJson(text);
  if (!value) return {Fault::InvalidInput, name + ": " + value.failure().message};
  if (!value->is_object())
    return {Fault::InvalidInput, name + ": a plugin's configuration is a JSON object, {…}"};
  settings::Reading reading{name, std::filesystem::path(name).parent_path().string(), surroundings};
  ConfigurationTexts(reading, plugin.trusted).resolve(*value, {});
  if (!reading.problems.empty()) return {Fault::InvalidInput, reading.problems.front()};
  return value->dump();
}

} // namespace skillhost
