#pragma once

#include "rpc/reading.hpp"

#include <partyline/rpc/detail/json_source.hpp>

#include <string>
#include <string_view>

namespace partyline::detail {

/// Reads text that is known to be JSON, with no value between. It declines what is not as usual, and says of nothing
/// what is wrong with it. So nothing is read here that would not be read from a value, and as the same; and where
/// exceptions come out, false is what they mean.
class text_source final : public json_source {
public:
    text_source(json_view text, const reading& how) noexcept
        : json_source(false), begin_(text.text().data()), at_(begin_), end_(at_ + text.text().size()), how_(how)
    {
    }

    bool read_null() override;
    bool read_bool(bool& into) override;
    bool read_signed(std::int64_t& into, std::int64_t min, std::int64_t max) override;
    bool read_unsigned(std::uint64_t& into, std::uint64_t max) override;
    bool read_double(double& into, double max) override;
    bool read_string(std::string_view& into) override;
    bool read_string(std::string& into) override;
    /// One without escapes.
    bool read_view(std::string_view& into) override;
    bool read_value(boost::json::value& into) override;
    const boost::json::value* value() const noexcept override { return nullptr; }
    bool read_raw(json_view& into) override;

    bool begin_array() override { return begin('['); }
    bool begin_array(std::size_t) override { return begin('['); } // how many there are the reader will see
    bool next_element() override;
    bool begin_object() override { return begin('{'); }
    bool next_member(std::string_view& name) override { return next_member(name, {}); }
    /// `name` is `likely` itself where it is that, which has to be plain text, if any.
    bool next_member(std::string_view& name, std::string_view likely);

    bool read_members(void* into, const member_table& table) override;
    bool read_alternative(void* into, const alternative_table& table) override;
    /// Reads what has been left out.
    bool read_nothing(void* into, const read_row& row);

    /// Any value, as text.
    json_view skip();
    /// Any value that is not looked at, but for what no value could be made of.
    bool ignore();

    boost::json::kind kind() const noexcept override;
    bool notes_problems() const noexcept override { return false; }
    bool refuse(std::string_view, std::string_view) override { return false; }
    bool refuse_kind(expected_words) override { return false; }

private:
    bool begin(char bracket) noexcept;
    bool next(char close) noexcept;
    bool skip_name(std::string_view name) noexcept;
    bool read_plain(std::string_view& into) noexcept;
    bool read_special_string(std::string_view& into);

    const char* begin_;
    const char* at_;
    const char* end_;
    const reading& how_;
    std::string memory_; // of the last string that had escapes
};

} // namespace partyline::detail
