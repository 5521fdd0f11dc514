// SPDX-License-Identifier: Apache-2.0
#include "configuration/repository_page.hpp"

#include <algorithm>

namespace skillhost::app {

RepositoryPage repositoryPage(std::string_view url) {
  constexpr std::string_view tree = "/tree/";
  const std::size_t at = url.find(tree);
  if (!url.starts_with("https://") || at == std::string_view::npos)
    return {std::string(url), {}, {}};
  std::string_view rest = url.substr(at + tree.size());
  while (rest.ends_with('/')) rest.remove_suffix(1);
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  return {std::string(url.substr(0, at)), std::string(rest.substr(0, slash)),
          std::string(rest.substr(std::min(slash + 1, rest.size())))};
}

} // namespace skillhost::app
