#include "http/websocket/websocket_upgrade.hpp"

#include "http/wire/characters.hpp"
#include "http/wire/field_list.hpp"
#include "protocol/json/base64.hpp"

#include <algorithm>
#include <stdexcept>

#include <openssl/evp.h>

namespace partyline::http {
namespace {

constexpr std::string_view appended_to_key = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
constexpr std::size_t key_digits = 22; // of 16 bytes, and then two for the padding

websocket_upgrade refuse_upgrade(int status, std::string problem, std::string fields = {})
{
    return {status, std::move(problem), std::move(fields)};
}

// RFC 9110 §15.5.22: says what to upgrade to.
websocket_upgrade tell_to_upgrade(std::string problem)
{
    return refuse_upgrade(426, std::move(problem),
                          "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n");
}

bool is_key(std::string_view value) noexcept
{
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    return value.size() == key_digits + 2 && value.ends_with("==") && value.find_first_not_of(digits) == key_digits;
}

// Null where none is served; false where what is offered breaks the rules.
bool choose_protocol(const request_head& head, std::span<const std::string_view> served, std::string_view& chosen)
{
    bool is_right = true;
    for (const field& each : head.fields) {
        if (!is_name(each.name, "sec-websocket-protocol"))
            continue;
        for_each_element(each.value, [&](std::string_view one) {
            is_right = is_right && is_all(one, is_token_char);
            if (!chosen.data() && std::find(served.begin(), served.end(), one) != served.end())
                chosen = one;
        });
    }
    return is_right;
}

} // namespace

websocket_upgrade read_upgrade(const request_head& head, std::span<const std::string_view> served)
{
    if (head.method != "GET" || !has_element(head.fields, "upgrade", "websocket"))
        return tell_to_upgrade("this path is served by WebSocket: ask for that by Upgrade");
    const bool has_body = head.body != body_kind::none && (head.body != body_kind::length || head.content_length != 0);
    if (head.is_http_1_0 || has_body)
        return refuse_upgrade(400, "what goes on by WebSocket is asked for by HTTP/1.1, without a body");
    if (!has_element(head.fields, "connection", "upgrade"))
        return refuse_upgrade(400, "Connection does not name Upgrade");
    if (head.count("sec-websocket-version") != 1 || head.find("sec-websocket-version") != "13")
        return tell_to_upgrade("the version of WebSocket that is served is 13");
    const std::string_view key = head.find("sec-websocket-key");
    if (head.count("sec-websocket-key") != 1 || !is_key(key))
        return refuse_upgrade(400, "Sec-WebSocket-Key is to be there once: 16 bytes in base64");
    std::string_view chosen;
    if (!choose_protocol(head, served, chosen))
        return refuse_upgrade(400, "Sec-WebSocket-Protocol is to be a list of tokens");
    std::string fields =
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: " + accept_value(key) + "\r\n";
    if (chosen.data())
        fields.append("Sec-WebSocket-Protocol: ").append(chosen).append("\r\n");
    return {101, {}, std::move(fields)};
}

std::string accept_value(std::string_view key)
{
    const std::string both = std::string(key).append(appended_to_key);
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned size = 0;
    if (EVP_Digest(both.data(), both.size(), digest, &size, EVP_sha1(), nullptr) != 1)
        throw std::runtime_error("libcrypto has no SHA-1, which WebSocket needs");
    return encode_base64({reinterpret_cast<const char*>(digest), size});
}

} // namespace partyline::http
