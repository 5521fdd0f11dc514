// SPDX-License-Identifier: Apache-2.0
#include "ground/base64.hpp"
#include "json_string.hpp"
#include "listing.hpp"

namespace skillhost::store {

std::string writeListing(const std::vector<File> &files) {
  std::size_t size = 64;
  for (const File &file : files) size += file.path.size() + file.bytes.size() + 64;
  std::string out;
  out.reserve(size + size / 8);
  out += "{\"version\":1,\"files\":[\n";
  bool first = true;
  for (const File &file : files) {
    out += first ? "{\"path\":" : ",\n{\"path\":";
    first = false;
    appendJsonText(out, file.path);
    const std::size_t text = sizeAsJsonText(file.bytes);
    if (text != notText && text <= base64Size(file.bytes.size()) + 2) {
      out += ",\"text\":";
      appendJsonText(out, file.bytes);
    } else {
      out += R"(,"base64":")";
      appendBase64(out, file.bytes);
      out += '"';
    }
    out += '}';
  }
  return out += "\n]}\n";
}

} // namespace skillhost::store
