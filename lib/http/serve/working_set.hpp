#pragma once

#include "http/wire/body_reader.hpp"
#include "http/wire/head_reader.hpp"

#include <partyline/protocol/byte_buffer.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace partyline::http {

/// What a connection needs from the first byte of a request until its answer is sent. Idle connections have none.
struct working_set {
    working_set(head_limits heads, std::size_t body_bytes) : head(heads), body(body_bytes) {}

    byte_buffer in; // what has come and was not taken, from `taken` on
    std::size_t taken = 0;
    head_reader head;
    std::string head_text; // where `in` does not keep it until its body has come
    body_reader body;
    std::string content; // of the body
    byte_buffer out;     // what is to be sent, from `sent` on
    std::size_t sent = 0;

    std::string_view untaken() const noexcept { return in.view().substr(taken); }
    std::string_view unsent() const noexcept { return out.view().substr(sent); }
    /// Drops what was taken, where that is all.
    void forget_taken() noexcept
    {
        if (taken != in.size())
            return;
        in.clear();
        taken = 0;
    }
    /// The head's views are good until the next one, whatever comes meanwhile.
    void keep_head()
    {
        if (!head_text.empty())
            return;
        head_text.assign(in.data() + taken - head.size(), head.size());
        head.reset();
        head.read(head_text);
    }
    void begin_head() noexcept
    {
        head.reset();
        head_text.clear();
    }
};

/// Working sets that nobody uses are kept, as many as are used in a row.
class working_sets {
public:
    working_sets(head_limits heads, std::size_t body_bytes) : heads_(heads), body_bytes_(body_bytes)
    {
        spare_.reserve(most);
    }

    std::unique_ptr<working_set> take()
    {
        if (spare_.empty())
            return std::make_unique<working_set>(heads_, body_bytes_);
        std::unique_ptr<working_set> one = std::move(spare_.back());
        spare_.pop_back();
        return one;
    }
    /// What it holds is dropped.
    void give_back(std::unique_ptr<working_set> one) noexcept
    {
        constexpr std::size_t kept_bytes = std::size_t(128) << 10;
        if (!one || spare_.size() >= most)
            return;
        one->in.clear(kept_bytes);
        one->out.clear(kept_bytes);
        one->taken = one->sent = 0;
        one->begin_head();
        one->content = {};
        spare_.push_back(std::move(one));
    }

private:
    static constexpr std::size_t most = 16;

    head_limits heads_;
    std::size_t body_bytes_;
    std::vector<std::unique_ptr<working_set>> spare_;
};

/// The working set of one connection, taken when there is need of it.
class borrowed_set {
public:
    explicit borrowed_set(working_sets& from) noexcept : from_(from) {}
    ~borrowed_set() { give_back(); }
    borrowed_set(borrowed_set&&) noexcept = default;

    working_set& take()
    {
        if (!one_)
            one_ = from_.take();
        return *one_;
    }
    /// Nothing has come that was not taken, and all is sent.
    void give_back() noexcept { from_.give_back(std::move(one_)); }

    explicit operator bool() const noexcept { return one_ != nullptr; }
    working_set& operator*() const noexcept { return *one_; }
    working_set* operator->() const noexcept { return one_.get(); }

private:
    working_sets& from_;
    std::unique_ptr<working_set> one_;
};

} // namespace partyline::http
