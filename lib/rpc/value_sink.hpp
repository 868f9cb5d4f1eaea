#pragma once

#include <partyline/rpc/detail/json_sink.hpp>

#include <vector>

namespace partyline::detail {

/// Makes a value of what it is told.
class value_sink final : public json_sink {
public:
    explicit value_sink(empty_optionals empty) : json_sink(empty) {}

    boost::json::value take() { return std::move(made_); }

    void write_null() override { add(nullptr); }
    void write_bool(bool value) override { add(value); }
    void write_signed(std::int64_t number) override { add(number); }
    void write_unsigned(std::uint64_t number) override { add(number); }
    void write_double(double number) override { add(number); }
    void write_string(std::string_view text) override { add(boost::json::string(text)); }
    void write_value(const boost::json::value& value) override { add(boost::json::value(value)); }
    void write_value(boost::json::value&& value) override { add(std::move(value)); }
    bool begin_array() override { return begin(boost::json::array()); }
    void end_array() override { end(); }
    bool begin_object(std::size_t members) override;
    void name(std::string_view name, bool) override { open_.back().name = name; }
    void end_object() override { end(); }
    bool knows_names() const noexcept override { return true; }

private:
    /// An array or object that has not ended.
    struct container {
        boost::json::value made;
        std::string_view name; // of the member to come
    };

    void add(boost::json::value value);
    bool begin(boost::json::value empty);
    void end();

    std::vector<container> open_;
    boost::json::value made_;
};

} // namespace partyline::detail
