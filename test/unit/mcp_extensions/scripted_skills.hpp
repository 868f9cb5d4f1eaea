#pragma once

#include "mcp_extensions/skills/digest.hpp"
#include "plain_frontmatter.hpp"
#include "unit/mcp/client/scripted_server.hpp"

#include <partyline/mcp_extensions/client_skills.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skills_test {

namespace json = boost::json;
using namespace partyline;
using namespace partyline::test;
using mcp::client_errc;
using mcp::skill_errc;
using mcp::skills::digest_of;

inline constexpr const char* has_skills = R"({"resources":{},"extensions":{"io.modelcontextprotocol/skills":{}}})";
inline constexpr const char* has_folders =
    R"({"resources":{},"extensions":{"io.modelcontextprotocol/skills":{"directoryRead":true}}})";
inline const std::string refunds_text = "---\nname: refunds\ndescription: Pays back.\n---\nAsk first.\n";
inline const std::string form_text = "Sum: ...\n";

/// A task that a test has started.
template <class T>
struct started_task {
    struct state {
        std::exception_ptr failed;
        std::optional<T> value;
        bool has_ended = false;
    };
    std::shared_ptr<state> is = std::make_shared<state>();

    bool has_ended() const { return is->has_ended; }
};

inline json::object file_entry(std::string_view uri, std::string_view bytes)
{
    return {{"uri", uri}, {"digest", digest_of(bytes)}, {"size", bytes.size()}};
}

inline json::object refunds_entry()
{
    return {{"uri", "skill://acme/refunds/SKILL.md"},
            {"frontmatter", {{"name", "refunds"}, {"description", "Pays back."}}},
            {"resources", json::array{file_entry("skill://acme/refunds/SKILL.md", refunds_text),
                                      file_entry("skill://acme/refunds/templates/form.md", form_text)}}};
}

inline json::object contents_of(std::string_view uri, std::string_view of)
{
    return {{"contents", json::array{json::object{{"uri", uri}, {"text", of}, {"mimeType", "text/markdown"}}}}};
}

/// A client with skills, and the server that the test plays.
struct skills_fixture : scripted_server {
    mcp::client_skills_options how;
    std::optional<mcp::client_skills> declared;

    mcp::client_skills& skills()
    {
        if (!declared)
            declared.emplace(client(), how);
        return *declared;
    }
    void start(const char* capabilities = has_skills)
    {
        skills();
        start_modern(capabilities);
    }

    template <class T>
    started_task<T> begin(task<T> work)
    {
        started_task<T> made;
        co_spawn(context.get_executor(), std::move(work), [state = made.is](std::exception_ptr failed, T value) {
            state->failed = failed;
            state->value.emplace(std::move(value));
            state->has_ended = true;
        });
        return made;
    }
    template <class T>
    T result(const started_task<T>& of)
    {
        run_until([&] { return of.has_ended(); });
        if (of.is->failed)
            std::rethrow_exception(of.is->failed);
        return *std::move(of.is->value);
    }
    // It fails by this, with this in its text.
    template <class T>
    void expect_failure(const started_task<T>& of, error_code how_it_fails, std::string_view part = {})
    {
        run_until([&] { return of.has_ended(); });
        try {
            result(of);
            BOOST_ERROR("it has not failed");
        } catch (const boost::system::system_error& failed) {
            BOOST_TEST(failed.code() == how_it_fails, failed.what());
            BOOST_TEST(std::string_view(failed.what()).find(part) != std::string_view::npos, failed.what());
        }
    }

    void answer(const std::string& id, json::object with)
    {
        with["resultType"] = "complete";
        reply(id, json::serialize(with));
    }
    void answer_list(json::array skills_of, std::string_view params = "{}", std::optional<std::string> cursor = {})
    {
        json::object with{{"skills", std::move(skills_of)}};
        if (cursor)
            with["nextCursor"] = *cursor;
        answer(expect_request("skills/list", params), std::move(with));
    }
    mcp::skill refunds(json::object entry = refunds_entry())
    {
        const started_task<mcp::skill> asked = begin(skills().get("skill://acme/refunds/SKILL.md"));
        answer(expect_request("skills/get", R"({"uri":"skill://acme/refunds/SKILL.md"})"),
               {{"skill", std::move(entry)}});
        return result(asked);
    }
    // Reads a file, which the server answers so.
    started_task<mcp::resource_part> read(const mcp::skill& of, std::string_view file, std::string_view uri,
                                          json::object with)
    {
        const started_task<mcp::resource_part> asked = begin(skills().read(of, file));
        const std::string params = json::serialize(json::object{{"uri", uri}});
        answer(expect_request("resources/read", params), std::move(with));
        return asked;
    }
    void expect_bad_entry(json::object entry, std::string_view part)
    {
        const started_task<std::vector<mcp::skill>> asked = begin(skills().list());
        answer_list({std::move(entry)});
        expect_failure(asked, client_errc::bad_result, part);
    }
};

} // namespace skills_test
