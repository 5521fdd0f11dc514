// SPDX-License-Identifier: Apache-2.0
// The reason why a database file cannot be used. The owner of the file catches it; no request sees
// it.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace skillhost {

class DatabaseError : public std::runtime_error {
public:
  // Damaged: a broken database of ours. Busy: another process holds it. Full: the disk has no room.
  // Foreign: no database, another program's, or one of a later version. Stopped: nobody waits for
  // the answer any more.
  enum class Kind : std::uint8_t { Damaged, Busy, Full, Foreign, Absent, Stopped, Other };

  DatabaseError(Kind kind, const std::string &why) : std::runtime_error(why), kind_(kind) {}
  Kind kind() const noexcept { return kind_; }

private:
  Kind kind_;
};

} // namespace skillhost
