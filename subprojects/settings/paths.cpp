// SPDX-License-Identifier: Apache-2.0
#include "settings/paths.hpp"

#include "ground/utf8.hpp"

#include <filesystem>

namespace skillhost::settings {

std::string absolutePath(std::string_view path, std::string_view folder,
                         const Environment &surroundings) {
  std::filesystem::path whole(path);
  const std::string home = surroundings.variable("HOME");
  if ((path == "~" || path.starts_with("~/")) && !home.empty())
    whole = home + std::string(path.substr(1));
  if (whole.is_relative()) whole = std::filesystem::path(folder) / whole;
  std::string text = whole.lexically_normal().string();
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  return text;
}

std::string problemUnlessUtf8(std::string_view path) {
  return isUtf8(path) ? std::string()
                      : ": is not UTF-8: rename the folder, or link to it from a path that is";
}

bool leadsOutOf(const std::string &path, const std::string &folder) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path root = fs::canonical(folder, error);
  if (error) return true;
  if (fs::is_symlink(path, error) && !fs::exists(path, error)) return true;
  const fs::path real = fs::weakly_canonical(path, error);
  if (error) return true;
  const fs::path inside = real.lexically_relative(root);
  return inside.empty() || *inside.begin() == "..";
}

bool looksLikePath(std::string_view text) noexcept {
  return text == "~" || text == "." || text == ".." || text.starts_with("~/") ||
         text.starts_with("./") || text.starts_with("../");
}

} // namespace skillhost::settings
