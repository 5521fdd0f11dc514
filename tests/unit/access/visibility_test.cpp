// SPDX-License-Identifier: Apache-2.0
// Tests which skills of a catalogue a caller sees, and that nothing of the rest shows through.
#include "access/audience.hpp"
#include "access/visibility.hpp"
#include "catch2.hpp"
#include "skills/view.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

using namespace skillhost;

namespace {

Document file(const std::string &skill, const std::string &path) {
  Document document;
  document.skill = skill;
  document.path = path;
  document.revision = "1";
  document.length = 1;
  document.entry = path == "SKILL.md";
  return document;
}

CatalogueEntry skill(const std::string &source, const std::string &path, const std::string &name,
                     const std::string &category = {}, std::vector<Document> nested = {},
                     bool isCategoryUnsure = false) {
  auto made = std::make_shared<Skill>();
  made->source = source;
  made->path = path;
  made->id = source + "/" + path;
  made->uri = "skill://" + source + "/" + path;
  made->fields.name = name;
  made->fields.category = category;
  made->fields.isCategoryUnsure = isCategoryUnsure;
  made->fields.toolName = name;
  made->byExtension = true;
  made->contentKey = made->id;
  made->files = {file(path, "SKILL.md")};
  made->filePaths = {"SKILL.md"};
  for (Document &one : nested) {
    made->filePaths.push_back(
        one.skill == path ? one.path : one.skill.substr(path.size() + 1) + "/" + one.path);
    made->files.push_back(std::move(one));
  }
  return {made, name, true};
}

std::shared_ptr<const Catalogue> catalogue(std::vector<CatalogueEntry> entries,
                                           std::uint64_t generation = 1) {
  return std::make_shared<const Catalogue>(
      generation, std::move(entries),
      std::vector<SourceStatus>{{"open", "1", 2, {}}, {"secret", "1", 1, {}}},
      std::vector<Finding>{{}});
}

// "secret" has the bare name because it is listed first.
std::shared_ptr<const Catalogue> twoOfOneName() {
  auto entries = std::vector{skill("secret", "pdf", "pdf"), skill("open", "pdf", "pdf"),
                             skill("open", "csv", "csv")};
  entries[1].name = "open/pdf";
  return catalogue(std::move(entries));
}

Principal subject(const std::string &name, std::set<std::string, std::less<>> scopes = {}) {
  return {name, "house", std::move(scopes), {}, 0};
}

std::vector<std::string> names(const Catalogue &catalogue) {
  std::vector<std::string> all;
  for (const CatalogueEntry &entry : catalogue.entries()) all.push_back(entry.name);
  return all;
}
using Names = std::vector<std::string>;

} // namespace

TEST_CASE("without rules everybody sees the catalogue itself") {
  const Visibility visibility;
  const auto whole = twoOfOneName();
  CHECK(Visibility::seesAll(visibility.keyOf(nullptr)));
  CHECK(Visibility::view(whole, visibility.keyOf(nullptr)) == whole);
}

TEST_CASE("a name goes to who would have it if the hidden did not exist") {
  const Visibility visibility({{{"sec*"}, {}, {"staff"}, {"ada"}}});
  const auto whole = twoOfOneName();
  const Principal stranger = subject("eve"), ada = subject("ada"),
                  staff = subject("bob", {"staff"});
  for (const Principal *one : {&ada, &staff})
    CHECK(visibility.view(whole, visibility.keyOf(one)) == whole);
  const Principal *const nobody = nullptr;
  for (const Principal *one : {&stranger, nobody}) {
    const auto view = visibility.view(whole, visibility.keyOf(one));
    CHECK(names(*view) == Names{"pdf", "csv"});
    CHECK(view->byName("pdf")->skill->source == "open");
    CHECK(view->byName("secret/pdf") == nullptr);
    CHECK(view->byId("secret/pdf") == nullptr);
    CHECK(view->byUri("skill://secret/pdf") == nullptr);
    CHECK(view->file("skill://secret/pdf/SKILL.md").entry == nullptr);
    CHECK(view->folder("skill://secret/pdf").entry == nullptr);
    REQUIRE(view->sources().size() == 1);
    CHECK(view->sources()[0].name == "open");
    CHECK(view->sources()[0].skills == 2);
    CHECK(view->findings().empty());
    CHECK(view->generation() == whole->generation());
  }
}

TEST_CASE("who might not see all hears of no findings, be something hidden or not") {
  const Visibility visibility({{{"nothing-of-this-name"}, {}, {"staff"}, {}}});
  const auto whole = twoOfOneName();
  REQUIRE_FALSE(whole->findings().empty());
  const auto view = visibility.view(whole, visibility.keyOf(nullptr));
  CHECK(names(*view) == names(*whole));
  CHECK(view->findings().empty());
}

TEST_CASE("who may not see a skill does not hear that it is left out because of a fault") {
  const auto damaged = [](const std::string &source) {
    auto made = std::make_shared<Skill>();
    made->id = source + "/damaged";
    made->source = source;
    made->fields.isCategoryUnsure = true;
    return made;
  };
  // The name of the last one is held by a skill that may be hidden.
  const auto whole = std::make_shared<const Catalogue>(
      1, std::vector{skill("secret", "pdf", "pdf", "hr")},
      std::vector<SourceStatus>{{"open", "1", 0, {}}, {"secret", "1", 1, {}}},
      std::vector<Finding>{{}}, Loading{}, NameRule::First,
      Catalogue::Skills{damaged("open"), damaged("secret"), skill("open", "pdf", "pdf").skill});
  const auto seen = [&](const std::vector<VisibilityRule> &rules, const Principal &who) {
    const Visibility visibility(rules);
    Names ids;
    const auto view = visibility.view(whole, visibility.keyOf(&who));
    for (const auto &one : view->leftOut()) ids.push_back(one->id);
    return ids;
  };
  const Names all{"open/damaged", "secret/damaged", "open/pdf"};
  const std::vector<VisibilityRule> bySource{{{"sec*"}, {}, {"staff"}, {}}};
  CHECK(seen({}, subject("eve")) == all);
  CHECK(seen(bySource, subject("bob", {"staff"})) == all);
  CHECK(seen(bySource, subject("eve")) == Names{"open/damaged"});
  // The category of a damaged skill is not known, so it may be this one.
  const std::vector<VisibilityRule> byCategory{{{}, {"hr"}, {"staff"}, {}}};
  CHECK(seen(byCategory, subject("bob", {"staff"})) == all);
  CHECK(seen(byCategory, subject("eve")).empty());
  CHECK(seen({{{"open"}, {}, {"reader"}, {}}, {{}, {"hr"}, {"staff"}, {}}},
             subject("eve", {"reader"})) == Names{"open/damaged"});
}

TEST_CASE("what is hidden inside a skill is not too much for it") {
  std::vector<Document> nested;
  for (int i = 0; i < 512; ++i) nested.push_back(file("a/in", std::to_string(1000 + i)));
  auto outer = skill("open", "a", "a", {}, std::move(nested));
  auto made = std::const_pointer_cast<Skill>(outer.skill);
  made->keepsRules = true;
  made->byExtension = false; // 513 files
  const auto whole = catalogue({outer, skill("open", "a/in", "in", "hr")});
  const Visibility visibility({{{}, {"hr"}, {"staff"}, {}}});
  const Principal staff = subject("ada", {"staff"});
  CHECK_FALSE(visibility.view(whole, visibility.keyOf(&staff))->byId("open/a")->skill->byExtension);
  CHECK(visibility.view(whole, visibility.keyOf(nullptr))->byId("open/a")->listed);
  made->keepsRules = false; // a break of another rule stays one
  const auto again = catalogue({outer, skill("open", "a/in", "in", "hr")}, 2);
  CHECK_FALSE(visibility.view(again, visibility.keyOf(nullptr))->byId("open/a")->listed);
}

TEST_CASE("a newcomer takes no name from who sees both") {
  auto entries = std::vector{skill("open", "a", "pdf"), skill("open", "pdf", "pdf"),
                             skill("secret", "pdf", "pdf")};
  entries[1].since = 7; // its folder has the name, but it was added later
  const auto whole = catalogue(std::move(entries), 7);
  const Visibility visibility({{{"secret"}, {}, {}, {"ada"}}});
  const auto view = visibility.view(whole, visibility.keyOf(nullptr));
  CHECK(names(*view) == Names{"pdf", "open/pdf"});
  CHECK(view->byName("pdf")->skill->path == "a");
}

TEST_CASE("one of the rules that name a skill is enough, and a rule for nobody hides") {
  const auto whole = catalogue({skill("a", "one", "one", "hr"), skill("a", "two", "two", "it"),
                                skill("b", "three", "three", "hr"), skill("b", "four", "four")});
  const Visibility visibility(
      {{{"a"}, {}, {"a"}, {}}, {{}, {"hr"}, {}, {"hr-*"}}, {{"b"}, {"hr"}, {}, {}}});
  const auto seen = [&](const Principal &who) {
    return names(*visibility.view(whole, visibility.keyOf(&who)));
  };
  CHECK(seen(subject("x")) == Names{"four"});
  CHECK(seen(subject("x", {"a"})) == Names{"one", "two", "four"});
  CHECK(seen(subject("hr-7")) == Names{"one", "three", "four"});
  CHECK(seen(subject("hr-7", {"a"})) == Names{"one", "two", "three", "four"});
  const Visibility closed({{{"b"}, {}, {}, {}}});
  const Principal all = subject("root", {"a", "skills:manage"});
  CHECK(names(*closed.view(whole, closed.keyOf(&all))) == Names{"one", "two"});
}

TEST_CASE("a rule with issuers is satisfied by theirs alone") {
  const auto whole = catalogue({skill("hr", "pay", "pay"), skill("open", "csv", "csv")});
  const Principal ours = subject("ada"), staff = subject("bob", {"staff"});
  const Principal theirs{"ada", "https://other.example", {"staff"}, {}, 0};
  const auto sees = [&](const VisibilityRule &rule, const Principal &who) {
    const Visibility visibility({rule});
    return visibility.view(whole, visibility.keyOf(&who)) == whole;
  };
  const VisibilityRule named{{"hr"}, {}, {}, {"ada"}, {"house"}};
  CHECK(sees(named, ours));
  CHECK_FALSE(sees(named, staff));
  CHECK_FALSE(sees(named, theirs));
  const VisibilityRule scoped{{"hr"}, {}, {"staff"}, {}, {"house", "another"}};
  CHECK(sees(scoped, staff));
  CHECK_FALSE(sees(scoped, theirs));
  const VisibilityRule all{{"hr"}, {}, {}, {}, {"https://other.example"}};
  CHECK(sees(all, theirs));
  CHECK_FALSE(sees(all, ours));
  // The issuer has a slash and no path.
  CHECK(sees({{"hr"}, {}, {}, {}, {"https://other.example/"}}, theirs));
  CHECK_FALSE(sees({{"hr"}, {}, {}, {}, {"https://other.example/x"}}, theirs));
  // Without issuers in the rule, the same subject of another issuer satisfies it; issuers exist for
  // that reason.
  CHECK(sees({{"hr"}, {}, {}, {"ada"}, {}}, theirs));
}

TEST_CASE("a skill of an unsure category is seen by who may see every category") {
  auto entries =
      std::vector{skill("open", "pay", "pay", {}, {}, true), skill("open", "csv", "csv")};
  const auto whole = catalogue(std::move(entries));
  const auto seen = [&](const std::vector<VisibilityRule> &rules,
                        std::set<std::string, std::less<>> scopes) {
    const Visibility visibility(rules);
    Principal principal;
    principal.scopes = std::move(scopes);
    return visibility.view(whole, visibility.keyOf(&principal))->byName("pay") != nullptr;
  };
  const VisibilityRule internal{{}, {"internal"}, {"staff"}, {}}, legal{{}, {"legal"}, {"law"}, {}};
  CHECK_FALSE(seen({internal}, {}));
  CHECK(seen({internal}, {"staff"}));
  CHECK_FALSE(seen({internal, legal}, {"staff"}));
  CHECK(seen({internal, legal}, {"staff", "law"}));
  const VisibilityRule elsewhere{{"other"}, {"internal"}, {"staff"}, {}};
  CHECK(seen({elsewhere}, {}));
  const VisibilityRule source{{"open"}, {}, {"team"}, {}};
  CHECK(seen({internal, source}, {"team"}));
  CHECK_FALSE(seen({internal, source}, {"staff"}));
}

TEST_CASE("the audience of a skill is who sees it") {
  const VisibilityRule internal{{}, {"internal"}, {"staff"}, {}}, legal{{}, {"legal"}, {"law"}, {}};
  const VisibilityRule source{{"op*"}, {}, {}, {"ada", "b*"}},
      nobody{{"open"}, {"internal"}, {}, {}};
  const VisibilityRule elsewhere{{"other"}, {}, {"team"}, {}};
  const std::vector<std::vector<VisibilityRule>> configurations{{},
                                                                {elsewhere},
                                                                {internal},
                                                                {source},
                                                                {internal, legal},
                                                                {internal, source, elsewhere},
                                                                {internal, nobody},
                                                                {nobody},
                                                                {legal, source, internal}};
  const auto satisfies = [](const VisibilityRule &rule, const Principal &principal) {
    const Visibility alone({{{"*"}, {}, rule.scopes, rule.principals, rule.issuers}});
    return Visibility::seesAll(alone.keyOf(&principal));
  };
  std::size_t compared = 0, hidden = 0;
  for (const auto &rules : configurations) {
    const Visibility visibility(rules);
    for (const bool unsure : {false, true})
      for (const char *category : {"", "internal", "legal"}) {
        const CatalogueEntry entry = skill("open", "pay", "pay", category, {}, unsure);
        const Audience audience = audienceOf(visibility.rules(), *entry.skill);
        for (const Principal &one :
             {subject("eve"), subject("ada"), subject("bob", {"law"}), subject("eve", {"staff"}),
              subject("eve", {"staff", "law"}), subject("eve", {"team"})}) {
          const auto is = [&](const VisibilityRule &rule) { return satisfies(rule, one); };
          const auto &all = audience.rules;
          const bool told =
              all.empty() || (audience.needsAll ? std::all_of(all.begin(), all.end(), is)
                                                : std::any_of(all.begin(), all.end(), is));
          const auto seen = Visibility::view(catalogue({entry}), visibility.keyOf(&one));
          INFO(category << ' ' << unsure << ' ' << one.subject << ' ' << all.size());
          CHECK(told == (seen->byName("pay") != nullptr));
          ++compared;
          hidden += told ? 0 : 1;
        }
      }
  }
  CHECK(compared == configurations.size() * 36);
  CHECK(hidden > 50);
}

TEST_CASE("a hidden skill's files are gone from the skill it is nested in") {
  const auto whole = catalogue(
      {skill("open", "box", "box", {},
             {file("box", "notes.md"), file("box/inner", "SKILL.md"), file("box/inner", "nails.md"),
              file("box/other", "SKILL.md")}),
       skill("open", "box/inner", "inner", "hidden"), skill("open", "box/other", "other")});
  for (const CatalogueEntry &entry : whole->entries())
    std::const_pointer_cast<Skill>(entry.skill)->folder = "/srv/" + entry.skill->path;
  const Visibility visibility({{{}, {"hidden"}, {}, {"ada"}}});
  const auto view = visibility.view(whole, visibility.keyOf(nullptr));
  const CatalogueEntry *const box = view->byName("box");
  REQUIRE(box != nullptr);
  CHECK(box->skill->folder.empty()); // a hidden skill lies in it
  CHECK(view->byName("other")->skill->folder == "/srv/box/other");
  CHECK(box->skill->filePaths == Names{"SKILL.md", "notes.md", "other/SKILL.md"});
  CHECK(box->skill->files.size() == 3);
  CHECK(view->file("skill://open/box/inner/nails.md").entry == nullptr);
  CHECK(view->folder("skill://open/box/inner").entry == nullptr);
  CHECK(view->file("skill://open/box/other/SKILL.md").entry != nullptr);
  // A list rendered for one caller is not served to the other.
  CHECK(box->skill->contentKey != whole->byName("box")->skill->contentKey);
  CHECK(view->byName("other")->skill == whole->byName("other")->skill);
}

TEST_CASE("the files of a skill that is not served itself are for who sees every category") {
  auto refused = std::make_shared<Skill>(); // as its SKILL.md has no description
  refused->id = "open/box/inner";
  refused->source = "open";
  refused->fields.isCategoryUnsure = true;
  const auto box = skill(
      "open", "box", "box", {},
      {file("box", "notes.md"), file("box/inner", "SKILL.md"), file("box/inner", "nails.md")});
  const auto files = [&](Catalogue::Skills leftOut, const std::vector<VisibilityRule> &rules) {
    const auto whole = std::make_shared<const Catalogue>(
        1, std::vector{box}, std::vector<SourceStatus>{{"open", "1", 1, {}}},
        std::vector<Finding>{}, Loading{}, NameRule::First, std::move(leftOut));
    const Visibility visibility(rules);
    const auto view = visibility.view(whole, visibility.keyOf(nullptr));
    CHECK((view->file("skill://open/box/inner/nails.md").entry != nullptr) ==
          (view->byName("box")->skill->files.size() == 4));
    return view->byName("box")->skill->filePaths;
  };
  const Names own{"SKILL.md", "notes.md"};
  Names all = own;
  all.insert(all.end(), {"inner/SKILL.md", "inner/nails.md"});
  // A skill that exclude_skills or a filter leaves out is not among the skills left out.
  const std::vector<Catalogue::Skills> ways{
      {refused}, {skill("open", "box/inner", "inner", "internal").skill}, {}};
  for (const Catalogue::Skills &leftOut : ways) {
    CHECK(files(leftOut, {}) == all);
    CHECK(files(leftOut, {{{"other"}, {"internal"}, {}, {"ada"}}}) == all);
    CHECK(files(leftOut, {{{}, {"internal"}, {}, {"ada"}}}) == own);
    CHECK(files(leftOut, {{{"open"}, {"x", "y"}, {}, {"ada"}}}) == own);
  }
}

TEST_CASE("a view is made once for each catalogue and key") {
  const Visibility visibility({{{"secret"}, {}, {}, {"ada"}}});
  const auto whole = twoOfOneName(), other = twoOfOneName();
  const auto key = visibility.keyOf(nullptr);
  const auto view = visibility.view(whole, key);
  CHECK(visibility.view(whole, key) == view);
  CHECK(visibility.view(other, key) != view);
  CHECK(visibility.view(whole, key) == view);
  const Principal ada = subject("ada");
  CHECK(visibility.keyOf(&ada) != key);
}

TEST_CASE("a change of what is hidden is no change for who does not see it") {
  const auto before = catalogue({skill("secret", "pdf", "pdf"), skill("open", "csv", "csv")}, 1);
  const std::shared_ptr<const Skill> csv = before->byName("csv")->skill;
  const auto now = catalogue({skill("secret", "new", "new"), {csv, "csv", true}}, 2);
  const Visibility visibility({{{"secret"}, {}, {}, {"ada"}}});
  const Principal ada = subject("ada");
  const auto same = [&](const Principal *who) {
    const auto key = visibility.keyOf(who);
    const auto a = visibility.view(now, key), b = visibility.view(before, key);
    return std::equal(a->entries().begin(), a->entries().end(), b->entries().begin(),
                      b->entries().end(), [](const auto &x, const auto &y) {
                        return x.skill == y.skill && x.name == y.name && x.listed == y.listed;
                      });
  };
  CHECK(same(nullptr));
  CHECK(!same(&ada));
}

TEST_CASE("a glob that is none is refused when the rules are made") {
  CHECK_THROWS_AS(Visibility({{{"[a"}, {}, {}, {}}}), std::invalid_argument);
}

TEST_CASE("other rules hold for keys that are made from then on") {
  Visibility visibility;
  const auto whole = twoOfOneName();
  const auto before = visibility.keyOf(nullptr);
  visibility.replace(Visibility::prepare({{{"secret"}, {}, {}, {"ada"}}}, {}), 0);
  const auto now = visibility.keyOf(nullptr);
  CHECK(now != before);
  CHECK(now.text() != before.text());
  CHECK(Visibility::view(whole, before) == whole);
  CHECK(names(*Visibility::view(whole, now)) == Names{"pdf", "csv"});
  CHECK_FALSE(Visibility::sees(now, "secret"));
  CHECK_THROWS_AS(Visibility::prepare({{{"[a"}, {}, {}, {}}}, {}), std::invalid_argument);
}

TEST_CASE(
    "a source that goes with the rule that hid it is seen by nobody in the catalogues before") {
  Visibility visibility({{{"secret"}, {}, {}, {"ada"}}});
  visibility.replace(Visibility::prepare({}, {"secret"}), 1);
  const auto key = visibility.keyOf(nullptr);
  const Principal ada = subject("ada");
  CHECK(names(*Visibility::view(twoOfOneName(), key)) == Names{"pdf", "csv"});
  CHECK(names(*Visibility::view(twoOfOneName(), visibility.keyOf(&ada))) == Names{"pdf", "csv"});
  // This is another skill of that name, and no rule names it.
  const auto next = catalogue({skill("secret", "pdf", "pdf")}, 2);
  CHECK(Visibility::view(next, key) == next);
}
