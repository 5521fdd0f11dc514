// SPDX-License-Identifier: Apache-2.0
// A file that lines are appended to, many at once: all of them, or none.
#pragma once

#include <string>
#include <string_view>

class LinesFile {
public:
  // Opens the file, and makes it if there is none. Throws std::system_error.
  explicit LinesFile(std::string path);
  ~LinesFile();
  LinesFile(const LinesFile &) = delete;
  LinesFile &operator=(const LinesFile &) = delete;

  // Opens the file anew if it has been moved away, as logrotate does. Throws std::system_error, and
  // then none of the lines is in the file.
  void append(std::string_view lines);

private:
  void open();
  bool wasMoved() const;

  const std::string path_;
  int descriptor_ = -1;
};
