#pragma once

#include <partyline/session/task.hpp>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace partyline::mcp {

class client_core;

/// What a server may ask a client.
enum class question_kind : std::uint8_t { form, page, sample, roots, unknown };

question_kind kind_of(std::string_view method, const boost::json::object& params) noexcept;

/// Whether there is what answers it: whether the server was told that it may ask.
bool can_answer(const client_core& of, question_kind kind, const boost::json::object& params) noexcept;

/// One question of a server's.
struct asked_question {
    std::string key; // among those of a round (2026-07-28); empty before
    question_kind kind;
    boost::json::object params;
};

/// The answer as it is sent, from the handler. Params that do not fit throw `failed_call`, see read_result.hpp.
task<boost::json::value> answer_question(std::shared_ptr<client_core> of, asked_question asked);

} // namespace partyline::mcp
