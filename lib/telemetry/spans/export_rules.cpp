#include "telemetry/spans/export_rules.hpp"

#include "session/redaction.hpp"

#include <partyline/protocol/printable.hpp>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace json = boost::json;

namespace partyline::telemetry {
namespace {

constexpr std::size_t longest_words = 300;

// OTLP's list of what may be tried again, and no answer at all.
bool may_come_again(int status) noexcept
{
    return status == 0 || status == 429 || (status >= 502 && status <= 504);
}

std::chrono::milliseconds delay_of(const document_receipt& got, int attempt, std::chrono::milliseconds first)
{
    const std::chrono::milliseconds own = first * (1 << (attempt - 1));
    const std::chrono::milliseconds asked = got.retry_after.value_or(std::chrono::seconds(0));
    return std::min<std::chrono::milliseconds>(std::max(own, asked), longest_delay);
}

std::size_t count_of(const json::value& told)
{
    std::size_t count = 0;
    if (const json::string* const text = told.if_string()) // as JSON has numbers of 64 bits
        std::from_chars(text->data(), text->data() + text->size(), count);
    else if (told.is_int64() && told.get_int64() > 0)
        count = static_cast<std::size_t>(told.get_int64());
    return count;
}

// An answer that says nothing, or nothing that is understood, says that all were taken.
export_verdict read_taken(const std::string& answer)
{
    export_verdict taken;
    boost::system::error_code no_json;
    const json::value told = json::parse(answer, no_json);
    const json::value* const partial = told.is_object() ? told.get_object().if_contains("partialSuccess") : nullptr;
    if (no_json || !partial || !partial->is_object())
        return taken;
    if (const json::value* const rejected = partial->get_object().if_contains("rejectedSpans"))
        taken.rejected = count_of(*rejected);
    if (const json::value* const words = partial->get_object().if_contains("errorMessage"); words && words->is_string())
        taken.why = printable(redacted(words->get_string()), longest_words);
    return taken;
}

} // namespace

export_verdict judge_export(const document_receipt& got, int attempt, std::chrono::milliseconds first)
{
    if (got.status >= 200 && got.status < 300)
        return read_taken(got.answer);
    export_verdict verdict;
    verdict.step = export_step::drop;
    verdict.why = got.status == 0 ? got.failure : "HTTP status " + std::to_string(got.status);
    if (attempt < most_attempts && may_come_again(got.status)) {
        verdict.step = export_step::try_again;
        verdict.delay = delay_of(got, attempt, first);
    }
    return verdict;
}

} // namespace partyline::telemetry
