#pragma once

#include <partyline/config.hpp>
#include <partyline/protocol/error.hpp>
#include <partyline/protocol/json_text.hpp>
#include <partyline/rpc/detail/array_view.hpp>
#include <partyline/rpc/detail/json_source.hpp>
#include <partyline/rpc/detail/parameter_list.hpp>

#include <boost/json/value.hpp>
#include <boost/system/result.hpp>

#include <memory>
#include <optional>

namespace partyline {
class request_context;
}

namespace partyline::detail {

class argument_source;

/// Reads the params of one request into a tuple of arguments, or into a struct that stands for all of them. Views among
/// them are valid as long as this and the request's text are.
///
/// Flow: `read_text()`; where that declines, `read_values()` into what is new again; where that fails, `refusal()`.
class PARTYLINE_EXPORT params_reader {
public:
    params_reader(const request_context& context, json_view params, const parameter_list& parameters) noexcept;
    params_reader(const params_reader&) = delete;
    params_reader& operator=(const params_reader&) = delete;
    ~params_reader();

    bool read_text(void* into, array_view<const read_row> rows);
    bool read_values(void* into, array_view<const read_row> rows);
    error_object refusal();

private:
    const request_context& context_;
    json_view params_;
    const parameter_list& parameters_;
    std::unique_ptr<argument_source> values_;
};

/// Reads one type, into what is empty.
using read_function = bool (*)(void* into, json_source& from);

/// Reads the params as one value, from text.
PARTYLINE_EXPORT bool read_whole_text(void* into, read_function read, const request_context& context, json_view params);
/// Reads the params as one value, where reading from text has failed. Returns the error that they are refused with, if
/// any.
PARTYLINE_EXPORT std::optional<error_object> read_whole_value(void* into, read_function read,
                                                              const request_context& context, json_view params);

/// The params as a value, which has to be an array or an object. It keeps its storage, and so is not copied.
PARTYLINE_EXPORT boost::system::result<boost::json::value, error_object> read_whole_array(json_view params);
PARTYLINE_EXPORT boost::system::result<boost::json::value, error_object> read_whole_object(json_view params);

} // namespace partyline::detail
