// SPDX-License-Identifier: Apache-2.0
#include "pattern.hpp"

#include "ground/utf8.hpp"

#include <re2/re2.h>

namespace skillhost {
namespace {

// Bounds the steps for each character of a text, as repetitions such as a{1000} are written out.
constexpr std::int64_t maxPatternMemory = 1 << 18;

} // namespace

TextTooLong::TextTooLong()
    : std::runtime_error("has a text of more than " + std::to_string(maxTextBytes) +
                         " bytes, which is too long to be compared with a pattern") {}

Pattern::Pattern(const std::string &written) {
  const auto refuse = [&](const std::string &why) {
    throw std::runtime_error("the pattern \"" + mendUtf8(cutUtf8(written, 60)) +
                             (written.size() > 60 ? "...\" " : "\" ") + why);
  };
  if (written.size() > maxPatternBytes)
    refuse("has more than " + std::to_string(maxPatternBytes) + " bytes");
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(maxPatternMemory);
  compiled_ = std::make_unique<re2::RE2>(written, options);
  if (!compiled_->ok())
    refuse("is not understood by RE2, which has no look-ahead and no back-reference: " +
           compiled_->error());
}

Pattern::Pattern(Pattern &&) noexcept = default;
Pattern::~Pattern() = default;

bool Pattern::isIn(const std::string &text) const {
  if (text.size() > maxTextBytes) throw TextTooLong();
  return re2::RE2::PartialMatch(text, *compiled_);
}

std::vector<std::string> Pattern::groupsIn(const std::string &text) const {
  if (text.size() > maxTextBytes) throw TextTooLong();
  const int count = compiled_->NumberOfCapturingGroups() + 1;
  std::vector<re2::StringPiece> found(static_cast<std::size_t>(count));
  if (!compiled_->Match(text, 0, text.size(), re2::RE2::UNANCHORED, found.data(), count)) return {};
  std::vector<std::string> groups;
  groups.reserve(found.size());
  for (const re2::StringPiece &one : found) groups.emplace_back(one);
  return groups;
}

} // namespace skillhost
