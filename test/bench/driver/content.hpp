#pragma once

#include "random_source.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace bench {

/// Appends the params of one request, and the result that has to come back; none when that is the params again.
using content = std::function<void(random_source&, std::string& params, std::string& result)>;

/// `{"text":"..."}` with a text of so many bytes.
content text_of(std::size_t bytes);
/// `{"a":1,"b":2}`, whose result is the sum.
content two_numbers();
/// `{"name":"...","tags":["..."],"size":{"w":1,"h":2}}`, which is its own result.
content description();
/// `{"ms":10,"text":"..."}`, which comes back after that time.
content delay_of(std::chrono::milliseconds time);
/// `{}`, which comes to `result`.
content nothing_for(std::string result);
/// `{"count":1000,"workDoneToken":"..."}`: so much progress comes before the result, `{"count":1000}`.
content progress_of(std::size_t count);
/// `{"count":1000}`: so many notifications come before the result, which is the same again.
content notifications_of(std::size_t count);
/// `{"kind":"...","count":1000}`, whose result is the count.
content sessions_of(std::string kind, std::size_t count);
/// `{"rounds":1000,"seed":1}`, whose result takes the server some work.
content work_of(std::uint32_t rounds);

} // namespace bench
