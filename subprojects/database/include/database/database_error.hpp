// SPDX-License-Identifier: Apache-2.0
// Why the file cannot be used. Thrown and caught by who keeps the file: no request sees it.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace skillhost {

class DatabaseError : public std::runtime_error {
public:
  // Damaged: a database of ours that is broken. Busy: another process holds it. Full: there is no
  // room on the disk. Foreign: it is no database, another program's, or one that a later version
  // has written. Stopped: nobody waits for the answer any more.
  enum class Kind : std::uint8_t { Damaged, Busy, Full, Foreign, Absent, Stopped, Other };

  DatabaseError(Kind kind, const std::string &why) : std::runtime_error(why), kind_(kind) {}
  Kind kind() const noexcept { return kind_; }

private:
  Kind kind_;
};

} // namespace skillhost
