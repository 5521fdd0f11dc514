// SPDX-License-Identifier: Apache-2.0
// skillhost/upstream.hpp - C++20 convenience over upstream.h, as plugin.hpp is over plugin.h.
//
//   class Redact final : public skh::Source {
//   public:
//     Redact(skh::Host host, const skh::Call &) : upstream_(host) {}
//     void list(const skh::Call &call, const skh::Documents &out) override {
//       out.done(upstream_.list(call, [&](const skh::Document &one) { out.add(one); }));
//     }
//     ...
//   private:
//     skh::Upstream upstream_;
//   };
//
// The functions throw skh::Error with the upstream's status. It has no message, because the host
// has the upstream's. They pass on what the given functions throw.
#pragma once

#include <skillhost/plugin.hpp>
#include <skillhost/upstream.h>

#include <cstddef>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace skh {

class Upstream {
public:
  // Throws Error if the plugin is not configured as a filter.
  explicit Upstream(const Host &host) : raw_(host.extension<skh_upstream>(SKH_UPSTREAM)) {
    if (raw_ == nullptr)
      throw Error(SKH_INVALID,
                  "this plugin is a filter: name it in the list `filters` of a source");
  }

  // The name of the source in the configuration.
  std::string_view name() const noexcept { return view(raw_->name); }

  // Calls each(document) for every document, and returns the name of the snapshot.
  template <class Each> std::string list(const Call &call, Each &&each) const {
    Listing<Each> out(each);
    return out.end(raw_->list(raw_, call.raw(), out.raw()));
  }
  // Calls each(document) for every difference, and returns the name of the new snapshot.
  template <class Each>
  std::string changes(const Call &call, std::string_view since, Each &&each) const {
    Listing<Each> out(each);
    return out.end(raw_->changes(raw_, call.raw(), borrow(since), out.raw()));
  }
  // Returns the whole document.
  std::string read(const Call &call, const Document &which) const {
    const skh_document raw = rawOf(which);
    Text out;
    return out.end(raw_->read(raw_, call.raw(), &raw, out.raw()));
  }
  // Calls each(index, status, bytes) for every document; upstream.h explains them.
  template <class Each>
  void readEach(const Call &call, const std::vector<Document> &which, Each &&each) const {
    std::vector<skh_document> all;
    std::vector<const skh_document *> list;
    all.reserve(which.size());
    list.reserve(which.size());
    for (const Document &one : which) list.push_back(&all.emplace_back(rawOf(one)));
    Readings<Each> out(each);
    out.end(raw_->read_each(raw_, call.raw(), list.data(), list.size(), out.raw()));
  }
  // Returns the JSON object that facts.h specifies.
  std::string facts(const Call &call, std::string_view snapshot) const {
    Text out;
    return out.end(raw_->facts(raw_, call.raw(), borrow(snapshot), out.raw()));
  }

private:
  static skh_document rawOf(const Document &d) noexcept {
    return {sizeof(skh_document), d.flags,  borrow(d.skill),   borrow(d.path),
            borrow(d.revision),   d.length, borrow(d.location)};
  }

  // A sink of the host's form that calls functions which may throw.
  template <class Raw> class Sink {
  protected:
    struct Both {
      Raw raw; // first, so that a pointer to it is one to the whole
      Sink *sink;
    };
    explicit Sink(const Raw &raw) noexcept : both_{raw, this} {}

  public:
    Sink(const Sink &) = delete;
    Sink &operator=(const Sink &) = delete;
    const Raw *raw() const noexcept { return &both_.raw; }

  protected:
    template <class Own, class Body> static skh_status run(const Raw *raw, Body &&body) noexcept {
      auto *const self = static_cast<Own *>(reinterpret_cast<const Both *>(raw)->sink);
      try {
        body(*self);
        return SKH_OK;
      } catch (...) {
        self->thrown_ = std::current_exception();
        return SKH_FAILED;
      }
    }
    void check(skh_status status) const {
      if (thrown_) std::rethrow_exception(thrown_);
      skh::check(status, "");
    }

  private:
    Both both_;
    std::exception_ptr thrown_;
  };

  template <class Each> class Listing : public Sink<skh_documents> {
  public:
    explicit Listing(Each &each)
        : Sink<skh_documents>({sizeof(skh_documents), 0, &add, &done}), each_(each) {}
    std::string end(skh_status status) const {
      this->check(status);
      return snapshot_;
    }

  private:
    static skh_status add(const skh_documents *raw, const skh_document *d) noexcept {
      return Sink<skh_documents>::template run<Listing>(raw, [d](Listing &self) {
        self.each_(Document{view(d->skill), view(d->path), view(d->revision), d->length, d->flags,
                            view(d->location)});
      });
    }
    static skh_status done(const skh_documents *raw, skh_str snapshot) noexcept {
      return Sink<skh_documents>::template run<Listing>(
          raw, [snapshot](Listing &self) { self.snapshot_ = view(snapshot); });
    }
    Each &each_;
    std::string snapshot_;
  };

  class Text : public Sink<skh_bytes> {
  public:
    Text() : Sink<skh_bytes>({sizeof(skh_bytes), 0, &write}) {}
    std::string end(skh_status status) const {
      check(status);
      return bytes_;
    }

  private:
    static skh_status write(const skh_bytes *raw, const void *data, size_t size) noexcept {
      return run<Text>(raw, [data, size](Text &self) {
        self.bytes_.append(static_cast<const char *>(data), size);
      });
    }
    std::string bytes_;
  };

  template <class Each> class Readings : public Sink<skh_readings> {
  public:
    explicit Readings(Each &each)
        : Sink<skh_readings>({sizeof(skh_readings), 0, &add}), each_(each) {}
    void end(skh_status status) const { this->check(status); }

  private:
    static skh_status add(const skh_readings *raw, size_t index, skh_status status,
                          skh_str bytes) noexcept {
      return Sink<skh_readings>::template run<Readings>(
          raw, [=](Readings &self) { self.each_(index, status, view(bytes)); });
    }
    Each &each_;
  };

  const skh_upstream *raw_;
};

} // namespace skh
