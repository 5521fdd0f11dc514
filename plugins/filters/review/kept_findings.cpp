// SPDX-License-Identifier: Apache-2.0
#include "review/kept_findings.hpp"

#include "base/log.hpp"
#include "examination_version.hpp"
#include "ground/blake3.hpp"
#include "ground/bytes.hpp"
#include "ground/descriptor.hpp"
#include "ground/folder.hpp"
#include "ground/read_file.hpp"
#include "ground/replace_file.hpp"
#include "ground/trusted_path.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <utf8proc.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

namespace skillhost {
namespace {

constexpr std::string_view magic = "skillhost findings 1\n"; // another layout needs another number
constexpr std::string_view fileEnd = ".findings";
constexpr std::time_t keptUnusedSeconds = std::time_t{30} * 86'400;
constexpr std::size_t nameDigits = 32;
constexpr std::size_t lengthBytes = sizeof(std::uint64_t); // in front of each text of the file

using Digest = Blake3::Digest;

std::string_view bytesOf(const Digest &digest) {
  return {reinterpret_cast<const char *>(digest.data()), digest.size()};
}

// The findings in a document depend on these of its properties, and on nothing else.
Digest keyOf(const Document &document, const LockedDocument &content) {
  Blake3 key;
  key.add(content.digest);
  key.add(content.executable ? "x" : "-");
  key.add(document.path);
  return key.finish();
}

Digest sumOf(std::string_view bytes) {
  Blake3 sum;
  sum.add(bytes);
  return sum.finish();
}

// Returns an empty text if there are no findings.
std::string packed(const std::vector<Finding> &findings) {
  ByteWriter out;
  for (const Finding &finding : findings) {
    out.value(static_cast<std::uint8_t>(finding.severity));
    out.text(finding.code);
    out.value(std::uint64_t{finding.line});
    out.value(std::uint64_t{finding.column});
    out.text(finding.message);
    out.text(finding.advice);
  }
  return out.bytes();
}

// Throws Damaged.
std::vector<Finding> unpacked(std::string_view bytes, const std::string &file) {
  std::vector<Finding> findings;
  for (ByteReader in(bytes); !in.isAtEnd();) {
    Finding &finding = findings.emplace_back();
    const auto severity = in.value<std::uint8_t>();
    if (severity > static_cast<std::uint8_t>(Severity::Advice)) throw Damaged("a severity is none");
    finding.severity = static_cast<Severity>(severity);
    finding.code = in.text();
    finding.file = file;
    finding.line = static_cast<std::size_t>(in.value<std::uint64_t>());
    finding.column = static_cast<std::size_t>(in.value<std::uint64_t>());
    finding.message = in.text();
    finding.advice = in.text();
  }
  return findings;
}

void logForOperator(LogLevel level, const std::string &text) {
  log::write(level, "review", text, {}, log::Audience::Log);
}

} // namespace

std::string versionOfExaminations() {
  return std::string(examinationVersion) + ' ' + ::utf8proc_version();
}

KeptFindings::KeptFindings(std::string folder, std::string service, std::string version,
                           KeptFindingsLimits limits)
    : folder_(std::move(folder)), service_(std::move(service)), version_(std::move(version)),
      limits_(limits) {}

std::string KeptFindings::nameOf(const std::string &source) const {
  return blake3Hex(service_ + '\0' + source).substr(0, nameDigits) + std::string(fileEnd);
}

std::optional<std::vector<Finding>> KeptFindings::Known::find(const Document &document,
                                                              const LockedDocument &content) const {
  const Digest key = keyOf(document, content);
  const auto found = findings_.find(bytesOf(key));
  if (found == findings_.end()) return std::nullopt;
  try {
    return unpacked(found->second, document.path);
  } catch (const Damaged &) {
    return std::nullopt;
  }
}

bool KeptFindings::read(Known &known) const {
  constexpr std::size_t sumBytes = lengthBytes + sizeof(Digest);
  const std::string_view bytes = known.bytes_;
  ByteReader in(bytes.substr(0, bytes.size() - std::min(bytes.size(), sumBytes)));
  if (in.text() != magic) throw Damaged("it is no file of findings");
  const std::string_view said = bytes.substr(0, bytes.size() - sumBytes);
  if (ByteReader(bytes.substr(said.size())).text() != bytesOf(sumOf(said)))
    throw Damaged("its checksum is wrong");
  if (in.text() != version_) return false;
  known.documents_ = static_cast<std::size_t>(in.value<std::uint64_t>());
  while (!in.isAtEnd()) {
    const std::string_view key = in.text();
    known.findings_.emplace(key, in.text());
  }
  return true;
}

std::shared_ptr<const KeptFindings::Known> KeptFindings::load(const std::string &source) const {
  auto known = std::make_shared<Known>();
  if (folder_.empty()) return known;
  const std::string path = folder_ + '/' + nameOf(source);
  const auto refuse = [&](LogLevel level, const std::string &why) {
    logForOperator(level, "every text of the source " + source + " is examined again: " + why);
    return std::make_shared<const Known>();
  };
  if (const Status trusted = checkTrusted(path); !trusted)
    return refuse(LogLevel::Warning, trusted.failure().message);
  Result<std::string> bytes = readFile(path, limits_.fileBytes, FileKind::Regular);
  if (!bytes) {
    if (bytes.failure().fault == Fault::NotFound) return known;
    return refuse(LogLevel::Warning, path + ": cannot be read: " + bytes.failure().message);
  }
  known->bytes_ = *std::move(bytes);
  try {
    if (!read(*known)) return refuse(LogLevel::Info, path + " is of another version of the rules");
  } catch (const Damaged &error) {
    return refuse(LogLevel::Warning, path + " is damaged: " + error.what());
  }
  ::utimensat(AT_FDCWD, path.c_str(), nullptr, AT_SYMLINK_NOFOLLOW); // it is in use
  return known;
}

void KeptFindings::save(const std::string &source, const std::vector<Document> &documents,
                        const std::vector<ExaminedPointer> &each) const {
  if (folder_.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(folder_).parent_path(), error);
  if (!error && ::mkdir(folder_.c_str(), 0700) != 0 && errno != EEXIST)
    error.assign(errno, std::generic_category());
  if (error) return reportNotKept(folder_ + ": cannot be made: " + error.message());
  if (!checkTrusted(folder_)) return; // load() has reported it
  const Descriptor folder(::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder)
    return reportNotKept(folder_ + ": cannot be opened: " + std::generic_category().message(errno));
  std::vector<std::pair<Digest, const ExaminedDocument *>> all;
  all.reserve(documents.size());
  for (std::size_t i = 0; i < documents.size(); ++i)
    if (!each[i]->content.digest.empty())
      all.emplace_back(keyOf(documents[i], each[i]->content), each[i].get());
  const auto byKey = [](const auto &one) -> const Digest & { return one.first; };
  std::ranges::sort(all, {}, byKey);
  const auto alike = std::ranges::unique(all, {}, byKey);
  all.erase(alike.begin(), alike.end());
  ByteWriter out;
  out.text(magic);
  out.text(version_);
  out.value(std::uint64_t{documents.size()});
  for (const auto &[key, examined] : all) {
    const std::string findings = packed(examined->findings);
    const std::size_t more = 3 * lengthBytes + 2 * sizeof(Digest) + findings.size(); // with the sum
    if (out.bytes().size() + more > limits_.fileBytes) break;
    out.text(bytesOf(key));
    out.text(findings);
  }
  const Digest sum = sumOf(out.bytes());
  out.text(bytesOf(sum));
  const std::string name = nameOf(source);
  removeRemains(folder.number());
  if (const Status written = writeFileBeside(folder.number(), name, out.bytes(), Flush::Later);
      !written)
    return reportNotKept(folder_ + '/' + written.failure().message);
  isReported_ = false;
  limitFolder(folder.number(), name);
}

void KeptFindings::limitFolder(int folder, const std::string &own) const {
  const std::time_t now = std::time(nullptr);
  std::multimap<std::time_t, std::pair<std::string, std::size_t>> others; // by their last use
  std::size_t bytes = 0;
  std::error_code error;
  for (const std::string &name : namesIn(folder, error)) {
    struct stat facts{};
    if (!name.ends_with(fileEnd) ||
        ::fstatat(folder, name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) != 0)
      continue;
    const auto size = static_cast<std::size_t>(facts.st_size);
    bytes += size;
    if (name != own) others.emplace(facts.st_mtime, std::pair(name, size));
  }
  for (const auto &[used, file] : others) {
    if (bytes <= limits_.folderBytes && now - used <= keptUnusedSeconds) return;
    if (::unlinkat(folder, file.first.c_str(), 0) == 0) bytes -= file.second;
  }
}

void KeptFindings::reportNotKept(const std::string &why) const {
  if (isReported_.exchange(true)) return;
  logForOperator(LogLevel::Warning, "the findings are not kept for the next start: " + why);
}

} // namespace skillhost
