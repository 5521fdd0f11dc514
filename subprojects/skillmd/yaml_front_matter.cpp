// SPDX-License-Identifier: Apache-2.0
#include "skillmd/yaml_front_matter.hpp"

#include "ground/utf8.hpp"
#include "skillmd/core_schema.hpp"
#include "skillmd/yaml_advice.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace skillhost {
namespace {

constexpr std::size_t maxDepth = 10;
constexpr std::string_view tagPrefix = "tag:yaml.org,2002:";

// Thrown out of yaml-cpp's recursion with the finding, and caught in this file.
struct Refusal {
  Finding finding;
  bool mendable = false; // YAML itself refuses it
};

std::size_t positionOf(const YAML::Mark &mark) noexcept {
  return mark.pos < 0 ? 0 : static_cast<std::size_t>(mark.pos);
}

// Builds the fields from yaml-cpp's events, and refuses what front matter may not contain.
class Builder final : public YAML::EventHandler {
public:
  Builder(const FrontMatterBlock &block, std::string_view file) : block_(block), file_(file) {
    result_.bodyOffset = block.bodyOffset;
  }

  void OnDocumentStart(const YAML::Mark &mark) override {
    if (documents_++ != 0)
      refuse(mark, "front-matter-documents", "a second YAML document begins here",
             "keep one mapping between the two `---` lines");
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark &mark, YAML::anchor_t anchor) override {
    noAnchor(mark, anchor);
    if (!keyExpected()) {
      if (!stack_.empty() && stack_.back().block) checkColon(mark);
      put(mark, Json(nullptr));
      return;
    }
    // yaml-cpp does not report the spelling of null.
    const std::string_view rest =
        block_.yaml.substr(std::min(positionOf(mark), block_.yaml.size()));
    const std::size_t length =
        rest.substr(0, 1) == "~" ? 1 : std::min(rest.find_first_not_of("NULnul"), rest.size());
    key(mark, std::string(rest.substr(0, length)));
  }
  void OnAlias(const YAML::Mark &mark, YAML::anchor_t) override {
    refuse(mark, "yaml-alias", "an alias: front matter may not refer to itself",
           "repeat the value, or quote it if the `*` is meant as text");
  }
  void OnScalar(const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor,
                const std::string &value) override {
    noAnchor(mark, anchor);
    lastScalar_ = positionOf(mark);
    if (keyExpected()) {
      if (tag != "?" && tag != "!") checkTag(mark, tag, "str");
      key(mark, value);
      return;
    }
    if (tag == "!") {
      put(mark, Json(value));
    } else if (tag == "?" || tag.empty()) {
      putPlain(mark, value);
    } else {
      putTagged(mark, tag, value);
    }
  }
  void OnSequenceStart(const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override {
    open(mark, tag, anchor, style, Json::array());
  }
  void OnSequenceEnd() override { stack_.pop_back(); }
  void OnMapStart(const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override {
    open(mark, tag, anchor, style, Json::object());
  }
  void OnMapEnd() override { stack_.pop_back(); }

  FrontMatterResult finish() {
    // yaml-cpp treats an unclosed quotation mark as closed at the end.
    if (const std::size_t quote = openingQuote(lastScalar_); quote != std::string_view::npos)
      if (afterQuoted(quote) == std::string_view::npos)
        throw Refusal{adviseOnYaml(block_, file_, quote, "illegal EOF in scalar"), true};
    if (!rooted_ || result_.fields.is_null())
      throw Refusal{yamlError(block_, file_, 0, "front-matter-empty", "the front matter is empty",
                              "write at least `name: ...` and `description: ...`")};
    return {std::move(result_), std::move(findings_)};
  }

private:
  // A container that is still being filled.
  struct Open {
    Json *container;
    Json *slot = nullptr; // place for the value of the last key; null while a key is expected
    bool block = false;   // written without brackets
    std::size_t keyAt = 0;
    std::string key;
    std::set<std::string> seen; // the keys of an object too large for a search
  };

  [[noreturn]] void refuse(const YAML::Mark &mark, std::string_view code, std::string_view message,
                           std::string_view advice) const {
    throw Refusal{yamlError(block_, file_, positionOf(mark), code, message, advice)};
  }
  void noAnchor(const YAML::Mark &mark, YAML::anchor_t anchor) const {
    if (anchor != 0)
      refuse(mark, "yaml-anchor", "an anchor: front matter may not refer to itself",
             "remove it, or quote the value if the `&` is meant as text");
  }
  void checkTag(const YAML::Mark &mark, const std::string &tag, std::string_view allowed) const {
    if (tag.empty() || tag == "?" || tag == "!") return;
    if (tag.starts_with(tagPrefix) && tag.substr(tagPrefix.size()) == allowed) return;
    refuse(mark, "yaml-tag", "the tag `" + tag.substr(0, 100) + "` is not understood here",
           "remove the tag, or quote the value if the `!` is meant as text");
  }
  bool keyExpected() const {
    return !stack_.empty() && stack_.back().container->is_object() && stack_.back().slot == nullptr;
  }

  void key(const YAML::Mark &mark, std::string name) {
    Open &top = stack_.back();
    if (seen(top, name))
      refuse(mark, "yaml-duplicate-key", "duplicate key `" + name.substr(0, 100) + '`',
             "keep one of them");
    if (stack_.size() == 1) result_.keys.push_back({name, placeOf(mark)});
    auto &object = top.container->get_ref<Json::object_t &>();
    top.keyAt = positionOf(mark);
    top.key = name;
    object.emplace_back(std::move(name), nullptr);
    top.slot = &object.back().second;
  }
  static bool seen(Open &top, const std::string &name) {
    constexpr std::size_t few = 32;
    const auto &object = top.container->get_ref<const Json::object_t &>();
    if (object.size() < few) return top.container->contains(name);
    if (top.seen.empty())
      for (const auto &member : object) top.seen.insert(member.first);
    return !top.seen.insert(name).second;
  }
  Place placeOf(const YAML::Mark &mark) const {
    const std::size_t at = std::min(positionOf(mark), block_.yaml.size());
    const std::size_t start = at - std::min(at, static_cast<std::size_t>(mark.column));
    return {static_cast<std::size_t>(mark.line) + block_.line,
            countCharacters(block_.yaml.substr(start, at - start)) + 1};
  }

  Json *put(const YAML::Mark &mark, Json value) {
    if (stack_.empty()) {
      rooted_ = true;
      if (!value.is_object() && !value.is_null())
        refuse(mark, "front-matter-not-a-mapping", "the front matter is not a mapping",
               "write `key: value`, one a line");
      result_.fields = std::move(value);
      return &result_.fields;
    }
    Open &top = stack_.back();
    if (top.container->is_array())
      return &top.container->get_ref<Json::array_t &>().emplace_back(std::move(value));
    *top.slot = std::move(value);
    return std::exchange(top.slot, nullptr);
  }
  void putPlain(const YAML::Mark &mark, const std::string &text) {
    CoreScalar scalar = resolvePlain(text);
    putScalar(mark, std::move(scalar), text);
  }
  void putScalar(const YAML::Mark &mark, CoreScalar scalar, const std::string &text) {
    if (scalar.unrepresentable) {
      Finding finding = yamlError(block_, file_, positionOf(mark), "number-unrepresentable",
                                  "JSON has no number `" + text.substr(0, 100) +
                                      "`: kept as text; the skill is withheld from skills/list",
                                  "quote it");
      finding.severity = Severity::Warning;
      result_.mended = true;
      findings_.push_back(std::move(finding));
    } else if (scalar.kind != CoreScalar::Kind::String && scalar.kind != CoreScalar::Kind::Null) {
      noteWritten(text);
    }
    put(mark, std::move(scalar.value));
  }
  void noteWritten(const std::string &text) {
    if (stack_.empty() || stack_.size() > 2 || !stack_.back().container->is_object()) return;
    std::string path = stack_.front().key;
    if (stack_.size() == 2) path += "/" + stack_.back().key;
    result_.written.push_back({std::move(path), text});
  }
  void putTagged(const YAML::Mark &mark, const std::string &tag, const std::string &text) {
    using Kind = CoreScalar::Kind;
    const std::string_view name = tag.starts_with(tagPrefix)
                                      ? std::string_view(tag).substr(tagPrefix.size())
                                      : std::string_view{};
    if (name == "str") {
      put(mark, Json(text));
      return;
    }
    CoreScalar scalar = resolvePlain(text);
    if (name == "float" && scalar.kind == Kind::Integer && scalar.value.is_number())
      scalar = {Kind::Float, Json(scalar.value.get<double>()), false};
    const bool fits = (name == "int" && scalar.kind == Kind::Integer) ||
                      (name == "float" && scalar.kind == Kind::Float) ||
                      (name == "bool" && scalar.kind == Kind::Boolean) ||
                      (name == "null" && scalar.kind == Kind::Null);
    if (!fits) checkTag(mark, tag, {});
    putScalar(mark, std::move(scalar), text);
  }
  void open(const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor,
            YAML::EmitterStyle::value style, Json container) {
    noAnchor(mark, anchor);
    checkTag(mark, tag, container.is_object() ? "map" : "seq");
    if (keyExpected())
      throw Refusal{yamlError(block_, file_, positionOf(mark), "yaml-key",
                              "a list or a map is used as a key",
                              "use text as the key, or quote the value if brackets are meant as "
                              "text"),
                    !stack_.back().block}; // `{{name}}` is a placeholder
    if (stack_.size() >= maxDepth)
      refuse(mark, "yaml-depth", "nested deeper than " + std::to_string(maxDepth) + " levels",
             "flatten it");
    const bool flow = style == YAML::EmitterStyle::Flow;
    if (flow && !result_.flow) result_.flow = placeOf(mark);
    Json *placed = put(mark, std::move(container));
    stack_.push_back({placed, nullptr, !flow, 0, {}, {}});
  }

  // yaml-cpp takes a line without a colon for a key without a value.
  void checkColon(const YAML::Mark &mark) const {
    const Open &top = stack_.back();
    if (top.slot == nullptr) return;
    const std::string_view yaml = block_.yaml;
    std::size_t end = top.keyAt + top.key.size();
    if (const std::size_t quote = openingQuote(top.keyAt); quote != std::string_view::npos)
      end = afterQuoted(quote);
    end = end < yaml.size() ? yaml.find_first_not_of(" \t", end) : std::string_view::npos;
    if (end != std::string_view::npos && yaml[end] == ':') return;
    const std::size_t before = yaml.substr(0, top.keyAt).find_last_not_of(" \t\r\n");
    if (before != std::string_view::npos && yaml[before] == '?') return; // `? key` needs none
    // Their marks have other shapes.
    if (top.key == "null" || yaml.substr(top.keyAt, 1) == "!") return;
    static_cast<void>(mark);
    throw Refusal{yamlError(block_, file_, top.keyAt, "yaml-colon-missing",
                            "`" + top.key.substr(0, 100) +
                                "` is neither `key: value` nor part of "
                                "the value above",
                            "write `key: value`, or indent a line that continues the value"),
                  true};
  }
  // Returns the position of the quotation mark of the scalar at `at`, behind its tag; npos if it is
  // not quoted.
  std::size_t openingQuote(std::size_t at) const noexcept {
    const std::string_view yaml = block_.yaml;
    if (at < yaml.size() && yaml[at] == '!')
      at = yaml.find_first_not_of(" \t\r\n", yaml.find_first_of(" \t\r\n", at));
    if (at >= yaml.size() || (yaml[at] != '"' && yaml[at] != '\'')) return std::string_view::npos;
    return at;
  }
  // Returns the position behind the closing mark of the one at `quote`; npos if it is not closed.
  std::size_t afterQuoted(std::size_t quote) const noexcept {
    const std::string_view yaml = block_.yaml;
    for (std::size_t at = quote + 1; at < yaml.size(); ++at) {
      if (yaml[quote] == '"' && yaml[at] == '\\') {
        ++at;
      } else if (yaml[at] == yaml[quote]) {
        if (yaml[quote] == '"' || at + 1 >= yaml.size() || yaml[at + 1] != '\'') return at + 1;
        ++at;
      }
    }
    return std::string_view::npos;
  }

  const FrontMatterBlock &block_;
  std::string_view file_;
  FrontMatter result_;
  std::vector<Finding> findings_;
  // These point into result_. Only the innermost container grows, so the outer ones keep their
  // addresses.
  std::vector<Open> stack_;
  std::size_t documents_ = 0, lastScalar_ = 0;
  bool rooted_ = false;
};

} // namespace

FrontMatterResult readYaml(const FrontMatterBlock &block, std::string_view file) {
  try {
    std::istringstream input{std::string(block.yaml)};
    YAML::Parser parser(input);
    Builder builder(block, file);
    while (parser.HandleNextDocument(builder)) {}
    return builder.finish();
  } catch (const Refusal &refusal) {
    return FrontMatterResult::refused(refusal.finding, refusal.mendable);
  } catch (const YAML::Exception &problem) {
    return FrontMatterResult::refused(
        adviseOnYaml(block, file, positionOf(problem.mark), problem.msg), true);
  } catch (const std::exception &problem) {
    return FrontMatterResult::refused(adviseOnYaml(block, file, 0, problem.what()), true);
  }
}

} // namespace skillhost
