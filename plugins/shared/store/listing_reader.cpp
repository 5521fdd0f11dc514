// SPDX-License-Identifier: Apache-2.0
#include "ground/base64.hpp"
#include "json_string.hpp"
#include "limits.hpp"
#include "listing.hpp"
#include "names.hpp"
#include "problem.hpp"

namespace skillhost::store {
namespace {

class ListingReader {
public:
  explicit ListingReader(Buffer &text) : begin_(text.data()), size_(text.size()) {}

  std::vector<FileView> read() {
    expect("{\"version\":1,\"files\":[\n");
    std::vector<FileView> files;
    while (true) {
      files.push_back(readFile());
      if (files.size() > maxFiles) refuse("has more than 512 files");
      bytes_ += files.back().bytes.size();
      if (bytes_ > maxBytes) refuse("has more than 16 MiB of files");
      if (files.size() > 1 && files[files.size() - 2].path >= files.back().path)
        refuse("has its files out of order");
      if (!take(",\n")) break;
    }
    expect("\n]}\n");
    if (at_ != size_) refuse("does not end where it should");
    return files;
  }

private:
  FileView readFile() {
    expect(R"({"path":")");
    FileView file{readText(), {}};
    if (!faultInPath(file.path).empty()) refuse("has a path that is not safe");
    if (take(R"(,"text":")")) {
      file.bytes = readText();
    } else {
      expect(R"(,"base64":")");
      file.bytes = readBase64();
    }
    expect("}");
    return file;
  }
  std::string_view readText() {
    const std::optional<TextInPlace> text = decodeJsonText(begin_ + at_, size_ - at_);
    if (!text) refuse("has a text that is not spelt as this version spells it");
    at_ += text->length;
    return text->text;
  }
  std::string_view readBase64() {
    const std::string_view rest(begin_ + at_, size_ - at_);
    const std::string_view text = rest.substr(0, rest.find('"'));
    char *const place = begin_ + at_;
    const std::optional<std::size_t> size = decodeBase64(text, place);
    if (!size || text.size() == rest.size()) refuse("has base64 that is not in its one spelling");
    at_ += text.size() + 1;
    return {place, *size};
  }
  bool take(std::string_view text) {
    if (!std::string_view(begin_ + at_, size_ - at_).starts_with(text)) return false;
    at_ += text.size();
    return true;
  }
  void expect(std::string_view text) {
    if (!take(text)) refuse("is not in the form that this version writes");
  }
  [[noreturn]] static void refuse(const std::string &why) {
    throw StoreError(Problem::Corrupt, "vfs.json " + why);
  }

  char *const begin_;
  const std::size_t size_;
  std::size_t at_ = 0, bytes_ = 0;
};

} // namespace

std::vector<FileView> readListing(Buffer &text) { return ListingReader(text).read(); }

} // namespace skillhost::store
