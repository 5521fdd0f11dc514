// SPDX-License-Identifier: Apache-2.0
// What becomes of decisions that were made apart: every combination of what an entry was and is on
// either side.
#include "catch2.hpp"
#include "review/agreement.hpp"

#include <algorithm>
#include <array>
#include <optional>

using namespace skillhost;

namespace {

const std::string skill = "hub/pdf";

Decision approved(const std::string &who, std::int64_t when) {
  Decision decision;
  decision.verdict = Verdict::Approve;
  decision.files = {{"SKILL.md", {std::string(64, '0'), 10, false}}};
  decision.digest = contentDigest(decision.files);
  decision.who = who;
  decision.when = when;
  return decision;
}

Decision rejected(const std::string &who, std::int64_t when) {
  Decision decision;
  decision.who = who;
  decision.when = when;
  return decision;
}

using Entry = std::optional<Decision>;

Approvals with(const Entry &entry) {
  Approvals out;
  if (entry) out.skills[skill] = *entry;
  return out;
}

Entry entryOf(const Approvals &approvals) {
  const auto found = approvals.skills.find(skill);
  return found == approvals.skills.end() ? Entry() : Entry(found->second);
}

AgreedDecisions first(const Approvals &approvals) {
  return agree(nullptr, &approvals, nullptr).document;
}
// As another replica makes it that has agreed on `before`.
AgreedDecisions after(const AgreedDecisions &before, const Approvals &approvals) {
  return agree(&before, &approvals, &before).document;
}

// What holds of two that are others than before, written down case by case.
Entry expected(const Entry &a, const Entry &b) {
  const auto is = [](const Entry &entry, Verdict verdict) {
    return entry && entry->verdict == verdict;
  };
  if (is(a, Verdict::Reject) != is(b, Verdict::Reject)) return is(a, Verdict::Reject) ? a : b;
  if (!a || !b) return std::nullopt; // no decision before an approval; rejections are done
  return a->when > b->when ? a : b;
}

const std::array<Entry, 5> entries{Entry(), approved("ada", 100), approved("bob", 200),
                                   rejected("cy", 150), rejected("dee", 250)};

} // namespace

TEST_CASE("three ways, entry by entry") {
  for (const Entry &before : entries)
    for (const Entry &here : entries)
      for (const Entry &there : entries) {
        const AgreedDecisions base = first(with(before));
        const AgreedDecisions shared = after(base, with(there));
        const Approvals file = with(here);
        const Agreement agreement = agree(&base, &file, &shared);
        const bool bothChanged = here != before && there != before;
        const Entry wanted = here == there  ? here
                             : !bothChanged ? (here == before ? there : here)
                                            : expected(here, there);
        CHECK(entryOf(agreement.document.approvals) == wanted);
        CHECK(agreement.met.empty() == !(bothChanged && here != there));
        CHECK(agreement.leftOut.empty());
        // The replica at the other side comes to the same.
        const Approvals other = with(there);
        const AgreedDecisions mine = after(base, file);
        CHECK(agree(&base, &other, &mine).document.approvals == agreement.document.approvals);
        // Nothing is put that says what is there.
        CHECK((agreement.document.mark() == shared.mark()) == (wanted == there));
      }
}

TEST_CASE("entries of different skills do not disturb each other") {
  const AgreedDecisions base = first({});
  Approvals here, there;
  here.skills["hub/a"] = approved("ada", 1);
  there.skills["hub/b"] = rejected("bob", 2);
  const AgreedDecisions shared = after(base, there);
  const Agreement agreement = agree(&base, &here, &shared);
  CHECK(agreement.document.approvals.skills.size() == 2);
  CHECK(agreement.met.empty());
}

TEST_CASE("two that were made in the same second hold whatever the order") {
  const AgreedDecisions base = first({});
  const Approvals here = with(approved("ada", 100)), there = with(approved("bob", 100));
  const AgreedDecisions fromThere = after(base, there), fromHere = after(base, here);
  CHECK(agree(&base, &here, &fromThere).document.approvals ==
        agree(&base, &there, &fromHere).document.approvals);
}

TEST_CASE("without a base nothing is approved by what is in the file alone") {
  for (const Entry &here : entries)
    for (const Entry &there : entries) {
      const Approvals file = with(here);
      const AgreedDecisions shared = first(with(there));
      const Agreement agreement = agree(nullptr, &file, &shared);
      const bool rejectsHere = here && here->verdict == Verdict::Reject;
      const bool rejectsThere = there && there->verdict == Verdict::Reject;
      CHECK(entryOf(agreement.document.approvals) == (rejectsHere && !rejectsThere ? here : there));
      const bool isLeftOut = here && here->verdict == Verdict::Approve && here != there;
      CHECK(agreement.leftOut ==
            (isLeftOut ? std::vector<std::string>{skill} : std::vector<std::string>()));
    }
  const AgreedDecisions shared = first(with(approved("ada", 1)));
  CHECK(agree(nullptr, nullptr, &shared).document.mark() == shared.mark());
}

TEST_CASE("nothing is shared yet, or no longer") {
  const Approvals file = with(approved("ada", 1)), none;
  CHECK(agree(nullptr, &file, nullptr).document.approvals == file);
  CHECK(agree(nullptr, nullptr, nullptr).document.approvals == none);
  const AgreedDecisions base = first(file);
  // The same again, so that others know it for what they have agreed on.
  CHECK(agree(&base, &file, nullptr).document.mark() == base.mark());
  CHECK(agree(&base, nullptr, nullptr).document.mark() == base.mark());
  const Agreement withdrawn = agree(&base, &none, nullptr);
  CHECK(withdrawn.document.approvals == none);
  CHECK(withdrawn.document.history.size() == 3); // from the beginning on
}

TEST_CASE("who has seen that nothing was decided loses nothing to who decides first") {
  const AgreedDecisions beginning = AgreedDecisions::beginning();
  CHECK(beginning.isBeginning());
  CHECK(first({}).mark() == beginning.mark());
  Approvals here, there;
  here.skills["hub/a"] = approved("ada", 1);
  there.skills["hub/b"] = approved("bob", 2);
  const AgreedDecisions shared = first(there);
  CHECK_FALSE(shared.isBeginning());
  CHECK(agree(&beginning, &here, &shared).document.approvals.skills.size() == 2);
  CHECK_FALSE(after(shared, {}).isBeginning());
}

TEST_CASE("a file that is gone says nothing") {
  const AgreedDecisions base = first(with(approved("ada", 1)));
  CHECK(agree(&base, nullptr, &base).document.mark() == base.mark());
  const AgreedDecisions shared = after(base, {});
  CHECK(agree(&base, nullptr, &shared).document.mark() == shared.mark());
}

TEST_CASE("an earlier document brings nothing back") {
  const AgreedDecisions old = first(with(approved("ada", 1)));
  const AgreedDecisions base = after(old, {});
  const Approvals file; // withdrawn
  const Agreement again = agree(&base, &file, &old);
  CHECK(again.document.mark() == base.mark());
  CHECK(again.met.empty());
  // Nor when the file has changed since.
  const Approvals more = with(rejected("bob", 2));
  CHECK(agree(&base, &more, &old).document.approvals == more);
  // What an engine that was empty was given by a replica that has been away is as old.
  const Approvals stale = old.approvals;
  const AgreedDecisions given = agree(&old, &stale, nullptr).document;
  CHECK(agree(&base, &file, &given).document.mark() == base.mark());
}

TEST_CASE("of two that do not come of each other the stricter entries hold") {
  const AgreedDecisions old = first({});
  const AgreedDecisions base = after(old, with(approved("ada", 1)));
  const AgreedDecisions other = after(old, with(rejected("bob", 2)));
  const Approvals file = base.approvals;
  const Agreement joined = agree(&base, &file, &other);
  CHECK(joined.document.mark() == other.mark());
  CHECK(joined.met.size() == 1);
  // And the other way round it is known to have come of both.
  const Approvals otherFile = other.approvals;
  const Agreement back = agree(&other, &otherFile, &base);
  CHECK(back.document.approvals == other.approvals);
  CHECK(back.met.size() == 1);
  for (const AgreedDecisions *parent : {&base, &other})
    CHECK(std::count(back.document.history.begin(), back.document.history.end(), parent->mark()) ==
          1);
  CHECK(agree(&base, &file, &back.document).met.empty());
}

TEST_CASE("the history is bounded, and back and forth is not the same twice") {
  AgreedDecisions now = first({});
  const std::string begun = now.mark();
  for (std::size_t i = 0; i < longestHistory + 10; ++i)
    now = after(now, i % 2 == 0 ? with(approved("ada", 1)) : Approvals());
  CHECK(now.history.size() == longestHistory);
  CHECK(now.approvals == Approvals());
  CHECK(now.mark() != begun);
  CHECK(std::count(now.history.begin(), now.history.end(), now.mark()) == 1);
}

TEST_CASE("what is too far back for the history is still known to be before") {
  AgreedDecisions base = first({});
  base = after(base, with(rejected("ada", 100)));
  AgreedDecisions now = base;
  Approvals since = base.approvals;
  for (std::size_t i = 0; i < longestHistory + 10; ++i) {
    since.skills["hub/" + std::to_string(i)] = approved("ada", 300);
    now = after(now, since);
  }
  REQUIRE(std::count(now.history.begin(), now.history.end(), base.mark()) == 0);
  CHECK(now.generation == base.generation + longestHistory + 10);
  SECTION("its file is as it was") {
    const Agreement back = agree(&base, &base.approvals, &now);
    CHECK(back.document.mark() == now.mark());
    CHECK(back.met.empty());
  }
  SECTION("its file has changed") {
    const Approvals none;
    const Agreement back = agree(&base, &none, &now);
    CHECK(back.document.approvals.skills.size() == since.skills.size() - 1);
    CHECK(back.document.generation == now.generation + 1);
  }
  SECTION("a rejection that was decided on later is decided") {
    since.skills[skill] = approved("bob", 200);
    now = after(now, since);
    CHECK(entryOf(agree(&base, &base.approvals, &now).document.approvals) == since.skills[skill]);
  }
  SECTION("one that may never have been known there is not lost") {
    since.skills[skill] = approved("bob", 50);
    now = after(now, since);
    CHECK(entryOf(agree(&base, &base.approvals, &now).document.approvals) ==
          base.approvals.skills.at(skill));
    since.skills.erase(skill);
    now = after(now, since);
    CHECK(entryOf(agree(&base, &base.approvals, &now).document.approvals) ==
          base.approvals.skills.at(skill));
  }
  SECTION("what is not as far ahead is another one") {
    base.generation = now.generation - longestHistory + 1;
    CHECK(agree(&base, &base.approvals, &now).document.approvals.skills.size() == 1);
  }
}

TEST_CASE("the document is read as it was written, or refused as a whole") {
  const AgreedDecisions document = after(first({}), with(approved("ada", 1)));
  const Result<AgreedDecisions> read = AgreedDecisions::parse(document.text());
  REQUIRE(read);
  CHECK(read->approvals == document.approvals);
  CHECK(read->history == document.history);
  CHECK(read->generation == 1);
  const std::string approvals = document.approvals.text(), mark = document.mark();
  const auto refusal = [](const std::string &text) {
    const Result<AgreedDecisions> one = AgreedDecisions::parse(text);
    return one ? "it was read" : one.failure().message;
  };
  CHECK(refusal("") == "these are no decisions of skillhost");
  CHECK(refusal(approvals) == "these are no decisions of skillhost");
  CHECK(refusal("skillhost.decisions 2\n0 " + mark + '\n' + approvals).find("newer") !=
        std::string::npos);
  for (const std::string &marks : {std::string(), std::string("x"), mark + " " + mark.substr(1),
                                   std::string(mark) + "  " + mark})
    CHECK(refusal("skillhost.decisions 1\n1 " + marks + '\n' + approvals) ==
          "their history is no list of marks");
  for (const char *number : {"", "-1", "1x", "99999999999999999999", "9999999999999999"})
    CHECK(refusal(std::string("skillhost.decisions 1\n") + number + ' ' + mark + '\n' +
                  approvals) == "their history has no number");
  CHECK(refusal("skillhost.decisions 1\n1 " + mark) != "it was read");
  CHECK(refusal("skillhost.decisions 1\n1 " + mark + "\n{}").find("no file of approvals") !=
        std::string::npos);
}
