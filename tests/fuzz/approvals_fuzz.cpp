// SPDX-License-Identifier: Apache-2.0
// Reads any bytes as a file of approvals: nothing crashes or throws, an approval always names files
// of its digest, and a read file is written so that it reads back the same.
#include "review/approvals.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

using namespace skillhost;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char *>(data), size);
  const Result<Approvals> read = Approvals::parse(bytes, "approvals.json");
  if (!read) {
    require(read.failure().message.starts_with("approvals.json"));
    return 0;
  }
  for (const auto &[skill, decision] : read->skills) {
    require(decision.verdict == Verdict::Reject || !decision.files.empty());
    require(decision.files.empty() || decision.digest == contentDigest(decision.files));
  }
  const Result<Approvals> again = Approvals::parse(read->text(), "approvals.json");
  require(again && *again == *read);
  return 0;
}
