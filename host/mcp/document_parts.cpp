// SPDX-License-Identifier: Apache-2.0
#include "document_parts.hpp"

#include "base/text_piece.hpp"
#include "base/truncation.hpp"
#include "ground/base64.hpp"
#include "ground/counted.hpp"
#include "ground/json_text.hpp"
#include "ground/utf8.hpp"
#include "skill_texts.hpp"
#include "skillmd/naming.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>

namespace skillhost {
namespace {

constexpr std::size_t around = 300; // bytes of a document's members and words beside its content
constexpr std::size_t least = 40;   // of the first document's content, whatever the limit

std::size_t writtenSize(std::string_view text) {
  std::string quoted;
  appendJsonString(quoted, text);
  return quoted.size();
}

// Decides by the first bytes, because a model's host refuses an image of another type than stated.
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

void DocumentParts::spend(std::size_t bytes) {
  room_.text -= std::min(room_.text, bytes);
  room_.all -= std::min(room_.all, bytes * room_.forms);
}

std::size_t DocumentParts::room() const { return std::min(room_.text, room_.all / room_.forms); }

void DocumentParts::begin(const Json &one) {
  const std::string &path = one["path"].get_ref<const std::string &>();
  text += (text.empty() ? "== " : "\n\n== ") + path + " ==\n";
  spend(around + 2 * writtenSize(path) + one["uri"].get_ref<const std::string &>().size());
}

void DocumentParts::readOn(Json &one, std::size_t begin, std::size_t end, std::size_t all,
                           bool base64) {
  if (begin == 0 && end == all) return;
  one["offset"] = begin;
  one["size"] = all; // a client reads on while next_offset is less
  if (end == all) return;
  one["next_offset"] = end;
  one["truncated"] = truncated = true;
  text += "\n" + std::string(truncationMark) + "\nThese are bytes " + std::to_string(begin) +
          " to " + std::to_string(end) + " of " + std::to_string(all) + ". To read on, call " +
          call_ + ", document_path \"" + one["path"].get<std::string>() + '"' +
          (base64 ? ", include_base64 true" : "") + " and offset " + std::to_string(end) + ".";
}

bool DocumentParts::add(Json described, const std::string &bytes, const Wanted &wanted) {
  if (wanted.offset != 0 && wanted.offset >= bytes.size()) return false;
  const bool isText = isUtf8(bytes) && bytes.find('\0') == std::string::npos;
  if (!isText || described.find("size") == described.end()) described["size"] = bytes.size();
  begin(described);
  if (isText) {
    addText(described, bytes, wanted);
  } else {
    described["binary"] = true;
    if (wanted.base64) {
      addBase64(described, bytes, wanted);
    } else if (!addImage(described, bytes)) {
      const std::string file = where(described);
      text += "(binary, " + described["mime_type"].get<std::string>() + ", " +
              counted(bytes.size(), "byte") + "; " +
              (file.empty() ? "include_base64 sends it)" : file + ")");
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

void DocumentParts::addTooLarge(Json described) {
  begin(described);
  leaveOut();
  documents.push_back(std::move(described));
}

// A reader on the same machine is better served by the file itself than by its bytes as text.
std::string DocumentParts::where(const Json &one) const {
  return folder_.empty() ? folder_
                         : "it is the file " + folder_ + '/' + one["path"].get<std::string>();
}

void DocumentParts::leaveOut() {
  truncated = true;
  text += "(no room left in this answer: read this document alone)";
}

// Returns true, and says so, if there is no room for anything of one more document.
bool DocumentParts::full() {
  if (room() >= least || documents.empty()) return false;
  leaveOut();
  return true;
}

void DocumentParts::addText(Json &one, const std::string &bytes, const Wanted &wanted) {
  if (!wanted.alone && writtenSize(bytes) > room()) return leaveOut();
  const TextPiece piece = pieceOf(bytes, wanted.offset, std::max(room(), least));
  text += piece.text;
  one["content"] = piece.text;
  spend(writtenSize(piece.text));
  readOn(one, piece.begin, piece.begin + piece.text.size(), bytes.size(), false);
}

void DocumentParts::addBase64(Json &one, const std::string &bytes, const Wanted &wanted) {
  if (full()) return;
  const std::size_t left = bytes.size() - wanted.offset;
  // Whole groups, so that a client can simply join the parts.
  const std::size_t most = std::max(room(), least) / 4 * 3;
  const std::size_t count = std::min(left, most);
  std::string encoded = encodeBase64(std::string_view(bytes).substr(wanted.offset, count));
  text += "(binary, " + counted(bytes.size(), "byte") + ", base64)\n" + encoded;
  spend(encoded.size());
  one["base64"] = std::move(encoded);
  readOn(one, wanted.offset, wanted.offset + count, bytes.size(), true);
}

bool DocumentParts::addImage(Json &one, const std::string &bytes) {
  const std::string_view type = imageType(bytes);
  if (type.empty()) return false;
  one["mime_type"] = type;
  const std::string size = std::to_string(bytes.size());
  const std::size_t needed = (bytes.size() + 2) / 3 * 4;
  if (needed > room_.all) {
    truncated = true;
    const std::string file = where(one);
    text += "(" + std::string(type) + ", " + size + " bytes: too large for this answer; " +
            (file.empty() ? "include_base64 sends it in parts)" : file + ")");
    return true;
  }
  // Neither the text nor the data contains the image.
  room_.all -= needed;
  images += R"(,{"type":"image","data":")" + encodeBase64(bytes) + R"(","mimeType":")" +
            std::string(type) + R"("})";
  text += "(" + std::string(type) + ", " + size + " bytes, shown with this answer)";
  return true;
}

} // namespace skillhost
