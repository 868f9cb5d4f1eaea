#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/json_text.hpp>
#include <partyline/rpc/detail/array_view.hpp>
#include <partyline/rpc/detail/parameter_list.hpp>
#include <partyline/rpc/detail/parameter_place.hpp>
#include <partyline/rpc/detail/problem_list.hpp>
#include <partyline/session/request_context.hpp>

#include <boost/json/monotonic_resource.hpp>
#include <boost/json/value.hpp>

#include <cstddef>
#include <optional>
#include <string_view>

namespace partyline::detail {

/// The params of one request, matched to the parameters of its handler: each argument as the text that it has there;
/// and all that is wrong with them. What is read from it on the way to a C++ type lives in an arena that begins on the
/// stack.
class PARTYLINE_EXPORT argument_source {
public:
    /// `slots` has one place for each parameter.
    argument_source(const request_context& context, json_view params, const parameter_list& parameters,
                    array_view<json_view> slots);
    argument_source(const argument_source&) = delete;
    argument_source& operator=(const argument_source&) = delete;

    /// Whether there are arguments to be read: not where their number is wrong. Names that there are no parameters for
    /// are a problem, but no reason not to read the rest.
    bool is_matched() const noexcept { return is_matched_; }
    problem_list& problems() noexcept { return problems_; }

    /// Whether the request leaves this argument out. Null does not count as such.
    bool is_absent(std::size_t index) const noexcept { return slots_[index].empty(); }
    bool is_null(std::size_t index) const noexcept { return slots_[index].text() == "null"; }
    json_view text(std::size_t index) const noexcept { return slots_[index]; }
    parameter_place place(std::size_t index) const noexcept;

    // Nothing where it can't be read, which is noted.

    /// The argument as a value that lives no longer than this object.
    std::optional<boost::json::value> value(std::size_t index) { return build(index, &arena_); }

    /// The argument as a value in default storage.
    std::optional<boost::json::value> kept_value(std::size_t index) { return build(index, {}); }

    /// A string argument, decoded; valid as long as the request's text and this object are.
    std::optional<std::string_view> string(std::size_t index);

private:
    void match_array(json_view params);
    void match_object(json_view params);
    bool is_refused(std::string_view unknown) const noexcept;
    std::optional<boost::json::value> build(std::size_t index, boost::json::storage_ptr storage);
    std::string_view keep(std::string_view text);

    static constexpr std::size_t stack_bytes = 1024;

    unsigned char buffer_[stack_bytes]; // uninitialised: zeroing it would cost more than most requests take from it
    boost::json::monotonic_resource arena_;
    const parameter_list& parameters_;
    array_view<json_view> slots_;
    const request_context& context_;
    problem_list problems_;
    reading how_;
    parameter_place whole_;
    bool is_matched_ = true;
};

} // namespace partyline::detail
