// SPDX-License-Identifier: Apache-2.0
// A file to which several lines are appended at once: either all of them or none.
#pragma once

#include <string>
#include <string_view>

class LinesFile {
public:
  // Opens the file, and creates it if it does not exist. Throws std::system_error.
  explicit LinesFile(std::string path);
  ~LinesFile();
  LinesFile(const LinesFile &) = delete;
  LinesFile &operator=(const LinesFile &) = delete;

  // Opens the file again if it has been moved away, as logrotate does. If it throws
  // std::system_error, the file contains none of the lines.
  void append(std::string_view lines);

private:
  void open();
  bool wasMoved() const;

  const std::string path_;
  int descriptor_ = -1;
};
