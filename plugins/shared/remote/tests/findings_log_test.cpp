// SPDX-License-Identifier: Apache-2.0
// Tests what a source logs about findings at its remote, which strangers write.
#include "catch2.hpp"
#include "fixture.hpp"
#include "remote/findings_log.hpp"

using namespace skillhost::remote;
using namespace skillhost::remote::test;

TEST_CASE("a finding is logged once, and after 200 of them no further one") {
  Diary diary;
  const LentHost host(diary);
  FindingsLog findings(host.get());
  findings.warn("number 0");
  findings.warn("number 0");
  CHECK(diary.times("log: number 0") == 1);
  for (std::size_t i = 0; i < FindingsLog::maxTexts + 50; ++i)
    findings.warn("number " + std::to_string(i));
  CHECK(diary.times("log: number ") == FindingsLog::maxTexts);
  CHECK(diary.times("log: number 199") == 1);
  CHECK(diary.times("log: number 200") == 0);
  CHECK(diary.times("log: further findings of this kind are not logged") == 1);
}
