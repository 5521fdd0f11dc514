// SPDX-License-Identifier: Apache-2.0
#include "document_parts.hpp"

#include "ground/counted.hpp"

#include "base/truncation.hpp"
#include "ground/base64.hpp"
#include "ground/json_text.hpp"
#include "ground/utf8.hpp"
#include "skill_texts.hpp"
#include "skills/naming.hpp"
#include "text_piece.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>

namespace skillhost {
namespace {

constexpr std::size_t around = 300; // bytes of a document's members and words beside its content
constexpr std::size_t least = 40;   // of the content of the first document, whatever the limit

std::size_t writtenSize(std::string_view text) {
  std::string quoted;
  appendJsonString(quoted, text);
  return quoted.size();
}

// By their first bytes: a model's host refuses an image that is not what it is said to be.
std::string_view imageType(std::string_view bytes) noexcept {
  if (bytes.starts_with("\x89PNG\r\n\x1A\n")) return "image/png";
  if (bytes.starts_with("\xFF\xD8\xFF")) return "image/jpeg";
  if (bytes.starts_with("GIF87a") || bytes.starts_with("GIF89a")) return "image/gif";
  if (bytes.starts_with("RIFF") && bytes.substr(0, 12).ends_with("WEBP")) return "image/webp";
  return {};
}

} // namespace

Json describeFile(const Skill &skill, std::size_t file) {
  const std::string &path = skill.filePaths[file];
  Json one{
      {"path", path}, {"uri", skill.uri + "/" + encodePath(path)}, {"mime_type", mimeType(path)}};
  if (skill.files[file].length != UINT64_MAX) one["size"] = skill.files[file].length;
  return one;
}

void DocumentParts::spend(std::size_t bytes) { room_ -= std::min(room_, bytes); }

void DocumentParts::begin(const Json &one) {
  const std::string &path = one["path"].get_ref<const std::string &>();
  text += (text.empty() ? "== " : "\n\n== ") + path + " ==\n";
  spend(around + 2 * writtenSize(path) + one["uri"].get_ref<const std::string &>().size());
}

void DocumentParts::readOn(Json &one, std::size_t begin, std::size_t end, std::size_t all) {
  if (begin == 0 && end == all) return;
  one["offset"] = begin;
  if (end == all) return;
  one["next_offset"] = end;
  one["truncated"] = truncated = true;
  text += "\n" + std::string(truncationMark) + "\nThese are bytes " + std::to_string(begin) +
          " to " + std::to_string(end) + " of " + std::to_string(all) +
          ". Read on: this document alone with offset " + std::to_string(end) + ".";
}

bool DocumentParts::add(Json described, const std::string &bytes, bool base64, std::size_t offset) {
  if (offset != 0 && offset >= bytes.size()) return false;
  described["size"] = bytes.size();
  begin(described);
  const bool isText = isUtf8(bytes) && bytes.find('\0') == std::string::npos;
  if (isText) {
    addText(described, bytes, offset);
  } else {
    described["binary"] = true;
    if (base64) {
      addBase64(described, bytes, offset);
    } else if (!addImage(described, bytes)) {
      text += "(binary, " + described["mime_type"].get<std::string>() + ", " +
              counted(bytes.size(), "byte") + "; include_base64 sends it)";
    }
  }
  documents.push_back(std::move(described));
  return true;
}

void DocumentParts::addFailure(Json described, const std::string &why) {
  begin(described);
  text += "(cannot be read: " + why + ")";
  spend(2 * writtenSize(why));
  described["error"] = why;
  documents.push_back(std::move(described));
}

// Says so when nothing of one more document has room.
bool DocumentParts::full() {
  if (room_ >= least || documents.empty()) return false;
  truncated = true;
  text += "(no room left in this answer: read this document alone)";
  return true;
}

void DocumentParts::addText(Json &one, const std::string &bytes, std::size_t offset) {
  if (full()) return;
  const TextPiece piece = pieceOf(bytes, offset, std::max(room_, least));
  text += piece.text;
  one["content"] = piece.text;
  spend(writtenSize(piece.text));
  readOn(one, piece.begin, piece.begin + piece.text.size(), bytes.size());
}

void DocumentParts::addBase64(Json &one, const std::string &bytes, std::size_t offset) {
  if (full()) return;
  const std::size_t left = bytes.size() - offset;
  // Whole groups, so that the parts can be put together as they are.
  const std::size_t most = std::max(room_, least) / 4 * 3;
  const std::size_t count = std::min(left, most);
  std::string encoded = encodeBase64(std::string_view(bytes).substr(offset, count));
  text += "(binary, " + counted(bytes.size(), "byte") + ", base64)\n" + encoded;
  spend(encoded.size());
  one["base64"] = std::move(encoded);
  readOn(one, offset, offset + count, bytes.size());
}

bool DocumentParts::addImage(Json &one, const std::string &bytes) {
  const std::string_view type = imageType(bytes);
  if (type.empty()) return false;
  one["mime_type"] = type;
  const std::string size = std::to_string(bytes.size());
  const std::size_t needed = (bytes.size() + 2) / 3 * 4;
  if (needed > room_) {
    truncated = true;
    text += "(" + std::string(type) + ", " + size +
            " bytes: too large for this answer; include_base64 sends it in parts)";
    return true;
  }
  // Neither text nor data has it, so that both have room.
  spend(needed);
  images += R"(,{"type":"image","data":")" + encodeBase64(bytes) + R"(","mimeType":")" +
            std::string(type) + R"("})";
  text += "(" + std::string(type) + ", " + size + " bytes, shown with this answer)";
  return true;
}

} // namespace skillhost
