// SPDX-License-Identifier: Apache-2.0
#include "process/child_output.hpp"

#include "base/fault.hpp"
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

namespace skillhost::process {
namespace {

constexpr int pipeBytes = 512 << 10; // bytes, if the kernel grants them
constexpr std::size_t pieceBytes = 64U << 10U;
constexpr int piecesInLook = 8;
constexpr std::chrono::milliseconds restSpan{10};

} // namespace

ChildOutput::ChildOutput(std::string part, const std::string &who, Descriptor &writer)
    : log_(std::move(part), who + " wrote: ", who, log::Audience::Log) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    throw std::system_error(errno, std::generic_category(), "pipe");
  reader_.reset(ends[0]);
  writer.reset(ends[1]);
  // Only the reading end is non-blocking. Programs expect writes to block.
  ::fcntl(reader_.number(), F_SETFL, O_NONBLOCK);
  ::fcntl(reader_.number(), F_SETPIPE_SZ, pipeBytes);
}

void ChildOutput::read() {
  int pieces = 0;
  while (pieces < piecesInLook && take()) ++pieces;
  if (pieces > 1) resting_ = std::chrono::steady_clock::now() + restSpan;
}

void ChildOutput::finish() {
  for (int pieces = 0; pieces < piecesInLook && take(); ++pieces) {}
  endLine();
  reader_.reset();
}

bool ChildOutput::take() {
  if (!reader_) return false;
  std::array<char, pieceBytes> piece; // NOLINT(cppcoreguidelines-pro-type-member-init): read into
  ssize_t got = ::read(reader_.number(), piece.data(), piece.size());
  while (got < 0 && errno == EINTR) got = ::read(reader_.number(), piece.data(), piece.size());
  if (got > 0) {
    add({piece.data(), static_cast<std::size_t>(got)});
    return true;
  }
  if (got == 0 || errno != EAGAIN) {
    endLine();
    reader_.reset();
  }
  return false;
}

void ChildOutput::add(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    // Keeps one byte more than the limit, so that the log sees that the line was cut.
    line_ += bytes.substr(0, std::min(end, maxPluginLineBytes + 1 - line_.size()));
    if (end == bytes.size()) return;
    endLine();
    bytes.remove_prefix(end + 1);
  }
}

void ChildOutput::endLine() {
  if (!line_.empty() && line_.back() == '\r') line_.pop_back();
  if (!line_.empty()) log_.write(LogLevel::Info, line_);
  line_.clear();
}

} // namespace skillhost::process
