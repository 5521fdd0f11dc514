// SPDX-License-Identifier: Apache-2.0
#include "cell_text.hpp"

#include <utility>

namespace skillhost {
namespace {

// Replicas of different versions read what the others write: a text of another version is not read.
constexpr std::string_view heading = "skillhost usage cells 1\n";
constexpr char subjectMark = 's', cellMark = 'c', askedMark = 'a', endMark = 'e';
constexpr std::int64_t mostOfCell = std::int64_t{1} << 52U;
constexpr std::int64_t mostOfAll = mostOfCell; // of one text: sums of hundreds of them have room

class CellReader {
public:
  explicit CellReader(std::string_view bytes) : rest_(bytes) {}

  bool isGood() const noexcept { return good_; }
  bool isAtEnd() const noexcept { return rest_.empty(); }
  bool skip(std::string_view wanted) {
    good_ = good_ && rest_.starts_with(wanted);
    if (good_) rest_.remove_prefix(wanted.size());
    return good_;
  }
  char mark() {
    if (!good_ || rest_.empty()) {
      good_ = false;
      return endMark;
    }
    const char mark = rest_.front();
    rest_.remove_prefix(1);
    return mark;
  }
  // Seven bits a byte, the lowest first; none is negative.
  std::int64_t number(std::int64_t most) {
    std::uint64_t number = 0;
    for (unsigned shift = 0; shift < 63; shift += 7) {
      const auto byte = static_cast<unsigned char>(mark());
      if (!good_) return 0;
      number |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
      if ((byte & 0x80U) == 0) {
        good_ = number <= static_cast<std::uint64_t>(most);
        return good_ ? static_cast<std::int64_t>(number) : 0;
      }
    }
    good_ = false;
    return 0;
  }
  std::string text() {
    const auto size = static_cast<std::size_t>(number(INT64_MAX));
    good_ = good_ && size <= rest_.size();
    if (!good_) return {};
    std::string text(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return text;
  }

private:
  std::string_view rest_;
  bool good_ = true;
};

UsageSubject subjectFrom(CellReader &reader) {
  UsageSubject subject;
  subject.kind = static_cast<UseKind>(reader.number(useKindNames.size() - 1));
  for (std::string *text : {&subject.skill, &subject.source, &subject.path, &subject.principal,
                            &subject.client, &subject.outcome})
    *text = reader.text();
  return subject;
}

UsageCell cellFrom(CellReader &reader, bool hasAsked) {
  UsageCell cell;
  for (std::int64_t *number : {&cell.day, &cell.count, &cell.newest, &cell.spent})
    *number = reader.number(mostOfCell);
  if (hasAsked) cell.asked = reader.text();
  return cell;
}

} // namespace

void CellWriter::number(std::int64_t number) {
  // A clock that stood before 1970, or sums that no server comes to.
  auto left = static_cast<std::uint64_t>(number < 0            ? 0
                                         : number > mostOfCell ? mostOfCell
                                                               : number);
  while (left >= 0x80U) {
    text_.push_back(static_cast<char>(left | 0x80U));
    left >>= 7U;
  }
  text_.push_back(static_cast<char>(left));
}

void CellWriter::text(std::string_view text) {
  number(static_cast<std::int64_t>(text.size()));
  text_.append(text);
}

CellSink CellWriter::sink() {
  return {[this](const UsageSubject &subject) {
            if (text_.empty()) text_ = heading;
            text_.push_back(subjectMark);
            number(static_cast<std::int64_t>(subject.kind));
            for (const std::string *one : {&subject.skill, &subject.source, &subject.path,
                                           &subject.principal, &subject.client, &subject.outcome})
              text(*one);
          },
          [this](const UsageCell &cell) {
            ++cells_;
            text_.push_back(cell.asked ? askedMark : cellMark);
            for (const std::int64_t one : {cell.day, cell.count, cell.newest, cell.spent})
              number(one);
            if (cell.asked) text(*cell.asked);
          }};
}

std::string CellWriter::finish() && {
  if (text_.empty()) return {};
  text_.push_back(endMark);
  number(cells_);
  return std::move(text_);
}

bool readCells(std::string_view bytes, const CellSink &sink) {
  if (bytes.empty()) return true;
  CellReader reader(bytes);
  if (!reader.skip(heading)) return false;
  bool hasSubject = false;
  std::int64_t count = 0, spent = 0; // of all
  for (std::int64_t cells = 0;;) {
    const char mark = reader.mark();
    if (!reader.isGood()) return false;
    if (mark == endMark)
      return reader.number(INT64_MAX) == cells && reader.isGood() && reader.isAtEnd();
    if (mark == subjectMark) {
      const UsageSubject subject = subjectFrom(reader);
      if (!reader.isGood()) return false;
      sink.subject(subject);
      hasSubject = true;
    } else if ((mark == cellMark || mark == askedMark) && hasSubject) {
      const UsageCell cell = cellFrom(reader, mark == askedMark);
      if (!reader.isGood()) return false;
      count += cell.count;
      spent += cell.spent;
      if (count > mostOfAll || spent > mostOfAll) return false;
      sink.cell(cell);
      ++cells;
    } else
      return false;
  }
}

bool areWholeCells(std::string_view bytes) {
  return readCells(bytes, {[](const UsageSubject &) {}, [](const UsageCell &) {}});
}

} // namespace skillhost
