#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace partyline::http {

/// Scopes (RFC 6749 §3.3), each once, in the order in which they were named: some authorization servers show them in
/// that order. At most 256, of 4 KiB together; further ones are left out, and so are texts that are no scopes.
class scope_set {
public:
    scope_set() = default;
    explicit scope_set(const std::vector<std::string>& all);
    /// Reads scopes that are divided by blanks.
    static scope_set read(std::string_view text);

    void add(std::string_view scope);
    void add(const scope_set& others);
    void remove(std::string_view scope);

    bool empty() const noexcept { return all_.empty(); }
    bool has(std::string_view scope) const noexcept;
    bool has_all(const scope_set& others) const noexcept;
    /// As a request has them.
    std::string text() const;
    /// Of the same scopes in any order: the same text.
    std::string sorted_text() const;

private:
    std::vector<std::string> all_;
    std::size_t bytes_ = 0;
};

/// Asks for a refresh token where an authorization server knows it (OpenID Connect Core §11).
inline constexpr std::string_view offline_access = "offline_access";

} // namespace partyline::http
