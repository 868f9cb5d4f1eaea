#include "contenders.hpp"

namespace bench {
namespace {

contender shown(std::string name, credentials what, job work, std::vector<target> targets = {})
{
    contender made = reached_by(service::http_rpc, echo_server(std::move(name), std::move(work), std::move(targets)));
    made.shows = what;
    return made;
}

// At most 10,000: then a server closes a connection.
job over_one_connection(std::size_t at_once, std::size_t requests)
{
    job made = posts(at_once, requests);
    made.connections = 1;
    return made;
}

workload compared(std::string name, std::string title, const job& work, double of_token, double of_jwt)
{
    return {std::move(name),
            std::move(title),
            "call",
            speed,
            {shown("partyline-echo, without --access", credentials::none, work)},
            {shown("an opaque token", credentials::token, work, {{"ratio", of_token}}),
             shown("a JWT, of which the verdict is known", credentials::jwt, work, {{"ratio", of_jwt}}),
             shown("the opaque tokens of two users in turns", credentials::two_tokens, work)}};
}

workload turns(sizes size)
{
    const job work = over_one_connection(32, size(9600, 6400));
    return {"access-turns",
            "Authentication: POST of an echo of 16 bytes, one connection with 32 calls pipelined, two users in turns",
            "call",
            speed,
            {shown("an opaque token", credentials::token, work)},
            {shown("the opaque tokens of two users in turns", credentials::two_tokens, work, {{"ratio", 2.3}})}};
}

workload idle_connections(sizes size)
{
    const std::size_t count = size(10000, 500);
    const job work{.how = holding_connections, .method = "echo", .idle = count};
    return in_rounds(3, {"access-idle",
                         "Authentication: " + grouped(count) + " idle connections, after one POST over each",
                         "connection",
                         {"each_bytes"},
                         {for_many(shown("partyline-echo, without --access", credentials::none, work))},
                         {for_many(shown("an opaque token", credentials::token, work))}});
}

} // namespace

std::vector<workload> access_workloads(sizes size)
{
    const std::string post = "Authentication: POST of an echo of 16 bytes, one connection with ";
    return {
        compared("access-post", post + "a call", over_one_connection(1, size(9600, 3000)), 1.05, 1.1),
        compared("access-pipelined", post + "32 calls pipelined", over_one_connection(32, size(9600, 6400)), 1.25, 1.7),
        turns(size), idle_connections(size)};
}

} // namespace bench
