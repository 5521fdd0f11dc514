// SPDX-License-Identifier: Apache-2.0
// Callbacks that call a member function of an object which may have ended by then.
#pragma once

#include <memory>
#include <utility>

namespace skillhost {

// A callable without a result that calls `method` with `first` and then with its own arguments, as
// long as somebody else shares the object: it keeps the object only while it runs. The object must
// already be in a std::shared_ptr.
template <class Object, class Class, class... Parameters, class... First>
auto bindWeak(const std::shared_ptr<Object> &object, void (Class::*method)(Parameters...),
              First... first) {
  return
      [weak = std::weak_ptr<Object>(object), method, ... first = std::move(first)](auto &&...rest) {
        if (const std::shared_ptr<Object> self = weak.lock())
          ((*self).*method)(first..., std::forward<decltype(rest)>(rest)...);
      };
}

// For a class that derives from std::enable_shared_from_this.
template <class Object, class Class, class... Parameters, class... First>
auto bindWeak(Object *object, void (Class::*method)(Parameters...), First... first) {
  return [weak = object->weak_from_this(), method, ... first = std::move(first)](auto &&...rest) {
    if (const auto self = weak.lock())
      ((*self).*method)(first..., std::forward<decltype(rest)>(rest)...);
  };
}

} // namespace skillhost
