// SPDX-License-Identifier: Apache-2.0
#include "base/truncation.hpp"

#include "ground/utf8.hpp"

namespace skillhost {

bool truncate(std::string &text, std::size_t characters) {
  if (text.size() <= characters || countCharacters(text) <= characters) return false;
  const std::size_t keep =
      characters > truncationMark.size() ? characters - truncationMark.size() : 0;
  text.resize(firstCharacters(text, keep).size());
  text += truncationMark;
  return true;
}

} // namespace skillhost
