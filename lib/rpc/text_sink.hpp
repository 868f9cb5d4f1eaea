#pragma once

#include <partyline/protocol/byte_buffer.hpp>
#include <partyline/rpc/detail/json_sink.hpp>

namespace partyline::detail {

/// Writes what it is told as JSON text, the very text that `partyline::write_value` makes of the same value. What has
/// no text is noted and not told: a value is made then, and who writes that finds the place.
class text_sink final : public json_sink {
public:
    /// No more than `room` arrays and objects stand one in another. `out` lives longer.
    text_sink(byte_buffer& out, std::size_t room, empty_optionals empty) : json_sink(empty), out_(out), room_(room) {}

    bool has_failed() const noexcept { return has_failed_; }

    void write_null() override;
    void write_bool(bool value) override;
    void write_signed(std::int64_t number) override;
    void write_unsigned(std::uint64_t number) override;
    void write_double(double number) override;
    void write_string(std::string_view text) override;
    void write_value(const boost::json::value& value) override;
    void write_value(boost::json::value&& value) override { write_value(value); }
    bool begin_array() override;
    void end_array() override;
    bool begin_object(std::size_t members) override;
    void name(std::string_view name, bool is_plain) override;
    void end_object() override;
    bool knows_names() const noexcept override { return false; }

private:
    void separate();
    bool enter();
    void write_any_name(std::string_view name);
    void note(bool is_written) noexcept { has_failed_ |= !is_written; }

    byte_buffer& out_;
    std::size_t room_;
    char mark_ = '\0'; // what comes before the next value or name, if anything
    bool has_failed_ = false;
};

} // namespace partyline::detail
