// SPDX-License-Identifier: Apache-2.0
#include "plugin_configuration.hpp"

#include "ground/json.hpp"

#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace skillhost {

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

Result<std::string> pluginConfiguration(const CheckSettings &plugin) {
  const std::string &name = plugin.configurationFile;
  if (name.empty()) return std::string{};
  errno = 0;
  std::ifstream file(name, std::ios::binary);
  if (!file) return {Fault::NotFound, name + ": " + std::strerror(errno)};
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (text.size() >= 1'000'000) return {Fault::TooLarge, name + ": is larger than 1,000,000 bytes"};
  const Result<Json> value = parseJson(text);
  if (!value) return {Fault::InvalidInput, name + ": " + value.failure().message};
  if (!value->is_object())
    return {Fault::InvalidInput, name + ": a plugin's configuration is a JSON object, {…}"};
  return text;
}

} // namespace skillhost
