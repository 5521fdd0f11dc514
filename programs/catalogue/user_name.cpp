// SPDX-License-Identifier: Apache-2.0
#include "user_name.hpp"

#include <pwd.h>
#include <unistd.h>

#include <array>

namespace skillhost::app {

std::string userName() {
  std::array<char, 4'096> room{};
  passwd entry{};
  passwd *found = nullptr;
  if (::getpwuid_r(::getuid(), &entry, room.data(), room.size(), &found) == 0 && found != nullptr)
    return found->pw_name;
  return "uid " + std::to_string(::getuid());
}

} // namespace skillhost::app
