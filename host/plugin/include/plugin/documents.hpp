// SPDX-License-Identifier: Apache-2.0
// A list of documents that its holders share, so that many hold one copy of it.
#pragma once

#include "plugin/document.hpp"

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace skillhost {

// It is used as a value: copying it costs a pointer, and changing a copy changes no other one.
class Documents {
public:
  using List = std::vector<Document>;

  Documents() = default;
  Documents(List all) : all_(std::make_shared<List>(std::move(all))) {}
  Documents(std::initializer_list<Document> all) : Documents(List(all)) {}

  const List &list() const noexcept {
    static const List none;
    return all_ ? *all_ : none;
  }
  operator const List &() const noexcept { return list(); }
  List::const_iterator begin() const noexcept { return list().begin(); }
  List::const_iterator end() const noexcept { return list().end(); }
  std::size_t size() const noexcept { return list().size(); }
  bool empty() const noexcept { return list().empty(); }
  const Document &operator[](std::size_t i) const noexcept { return list()[i]; }
  void push_back(Document document) {
    if (!all_ || all_.use_count() != 1) all_ = std::make_shared<List>(list());
    all_->push_back(std::move(document));
  }
  friend bool operator==(const Documents &a, const Documents &b) {
    return a.all_ == b.all_ || a.list() == b.list();
  }

private:
  std::shared_ptr<List> all_; // null: none
};

} // namespace skillhost
