#pragma once

#if defined(PARTYLINE_EMULATED) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define PARTYLINE_SANITIZED true
#elif defined(__has_feature)
#define PARTYLINE_SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define PARTYLINE_SANITIZED false
#endif

namespace partyline::test {

/// Sanitizers, and emulators of another processor, slow programs down and take memory of their own: sizes and times are
/// judged more loosely.
inline constexpr bool is_sanitized = PARTYLINE_SANITIZED;

} // namespace partyline::test
