// SPDX-License-Identifier: Apache-2.0
#include "rpc/result_limit.hpp"

#include "base/truncation.hpp"
#include "ground/json_text.hpp"
#include "ground/utf8.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>

namespace skillhost {
namespace {

constexpr std::size_t around = 200; // bytes of an envelope beside its text and data

std::string written(const Json &value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::size_t dataSize(const ToolResult &result, ResultForm form) {
  return form == ResultForm::Text ? 0 : result.data.size();
}

std::size_t textSize(const ToolResult &result, ResultForm form) {
  return form == ResultForm::Structured ? 0 : result.text.size();
}

bool fits(const ToolResult &result, std::size_t bytes, ResultForm form) {
  return dataSize(result, form) + textSize(result, form) + result.blocks.size() + around <= bytes;
}

// Returns a JSON string of at most `bytes`, quotes and mark included. The cut is made in the
// escaped text, because escapes take more room than the characters they stand for.
std::string cutText(const std::string &quoted, std::size_t bytes) {
  if (quoted.size() <= bytes) return quoted;
  const std::size_t room = bytes - std::min(bytes, truncationMark.size() + 2);
  std::size_t end = 1; // behind the opening quote
  while (end < quoted.size() - 1) {
    std::size_t length = 1;
    if (quoted[end] == '\\') length = quoted[end + 1] == 'u' ? 6 : 2;
    while (end + length < quoted.size() &&
           (static_cast<unsigned char>(quoted[end + length]) & 0xC0U) == 0x80U)
      ++length;
    if (end - 1 + length > room) break;
    end += length;
  }
  return quoted.substr(0, end) + std::string(truncationMark) + '"';
}

// Removes bytes from a value, from its end, until `excess` is zero.
class Shrinker {
public:
  explicit Shrinker(std::size_t excess) : excess_(excess) {}

  void shrink(Json &value, bool top) {
    if (excess_ == 0) return;
    if (value.is_string()) return shrinkText(value);
    if (value.is_array()) return shrinkList(value);
    if (!value.is_object()) return;
    // The largest members are shrunk first, because small members are of more use whole.
    std::vector<std::pair<std::size_t, Json *>> members;
    for (auto &member : value) members.emplace_back(written(member).size(), &member);
    std::stable_sort(members.begin(), members.end(),
                     [](const auto &a, const auto &b) { return a.first > b.first; });
    for (const auto &[size, member] : members)
      if (size >= worthCutting) shrink(*member, false);
    while (!top && excess_ != 0 && !value.empty()) {
      const auto last = std::prev(value.end());
      const std::size_t comma = value.size() > 1 ? 1 : 0;
      took(written(last.value()).size() + written(last.key()).size() + 1 + comma);
      value.erase(last);
    }
  }

private:
  void shrinkText(Json &value) {
    const std::string before = written(value);
    if (before.size() <= truncationMark.size() + 2) return;
    const std::string after = cutText(before, before.size() - std::min(before.size(), excess_));
    if (after.size() >= before.size()) return;
    value = Json::parse(after);
    took(before.size() - after.size());
  }
  // Drops whole items from the end. The last one that is left may be cut within its texts.
  void shrinkList(Json &value) {
    while (excess_ != 0 && value.size() > 1) {
      took(written(value.back()).size() + 1);
      value.erase(value.size() - 1);
    }
    if (excess_ == 0 || value.empty()) return;
    shrink(value.front(), true);
    if (excess_ == 0) return;
    took(written(value.front()).size());
    value.clear();
  }
  static constexpr std::size_t worthCutting = 64; // bytes; smaller members stay uncut
  void took(std::size_t bytes) { excess_ -= std::min(excess_, bytes); }

  std::size_t excess_;
};

} // namespace

bool limitResult(ToolResult &result, std::size_t bytes, ResultForm form) {
  if (fits(result, bytes, form)) return true;
  const std::size_t room = bytes - std::min(bytes, around + result.blocks.size());
  const std::size_t half = room / 2;
  result.truncated = true;
  // Each gets half of the room, and what the other one does not need.
  const std::size_t forData = std::max(half, room - std::min(room, textSize(result, form)));
  if (dataSize(result, form) > forData) {
    Json data = Json::parse(result.data.text(), nullptr, false);
    if (data.is_discarded()) return false;
    Shrinker(result.data.size() - forData).shrink(data, true);
    result.data = Fragments(written(data));
  }
  if (dataSize(result, form) > room) return false;
  const std::size_t forText = room - dataSize(result, form);
  if (textSize(result, form) <= forText) return true;
  if (forText < truncationMark.size() + 2) return false;
  result.text = Fragments(cutText(result.text.text(), forText));
  return true;
}

Envelope envelopeWithin(const ToolResult &result, std::chrono::milliseconds duration,
                        std::size_t bytes, ResultForm form) {
  if (fits(result, bytes, form)) return envelope(result, duration, form);
  ToolResult cut = result;
  if (limitResult(cut, bytes, form)) return envelope(cut, duration, form);
  const std::string why = "the result is larger than limits.max_response_bytes (" +
                          std::to_string(bytes) + ") and cannot be cut";
  return envelope(ToolFailure{{Fault::OperationFailed, why}, {}, {}}, duration, form);
}

} // namespace skillhost
