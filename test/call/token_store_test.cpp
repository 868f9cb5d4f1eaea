// The file in which the tokens of logins are kept between runs.

#include "refusal.hpp"
#include "support/scratch_directory.hpp"
#include "support/text_search.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <command_line/token_store.hpp>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

using command_line::make_token_store;
using partyline::test::contains;
using partyline::test::scratch_directory;
namespace fs = std::filesystem;

namespace {

// Somebody who waits for the lock of a refresh, or has it.
class waiting_lock {
public:
    waiting_lock(boost::asio::io_context& context, boost::asio::awaitable<std::shared_ptr<void>> wait)
        : context_(context)
    {
        context.restart();
        co_spawn(context, std::move(wait), [end = end_](std::exception_ptr failed, std::shared_ptr<void> lock) {
            BOOST_TEST(!failed);
            *end = std::move(lock);
        });
    }
    bool is_done() const { return end_->has_value(); }
    std::shared_ptr<void> wait()
    {
        context_.restart();
        while (!is_done() && context_.run_one() != 0)
            continue;
        return end_->value();
    }
    void drop() { end_->value().reset(); }

private:
    boost::asio::io_context& context_;
    std::shared_ptr<std::optional<std::shared_ptr<void>>> end_ =
        std::make_shared<std::optional<std::shared_ptr<void>>>();
};

struct store_fixture {
    scratch_directory scratch;
    boost::asio::io_context context;
    const fs::path folder = scratch / "partyline";
    const fs::path file = folder / "tokens.json";

    partyline::http::oauth_store open(std::chrono::milliseconds refresh_time = std::chrono::minutes(1))
    {
        return make_token_store(context.get_executor(), folder.parent_path().string(), refresh_time);
    }
    waiting_lock lock(const partyline::http::oauth_store& in, const std::string& name)
    {
        return waiting_lock(context, in.lock(name));
    }
    std::string text() const
    {
        std::ifstream from(file);
        return {std::istreambuf_iterator<char>(from), {}};
    }
    void put(const std::string& text, mode_t mode = 0600)
    {
        fs::create_directories(folder);
        std::ofstream(file) << text;
        ::chmod(file.c_str(), mode);
    }
    std::string load_refusal()
    {
        return call::test::refusal_of([&] { open().load("a"); });
    }
    std::string save_refusal()
    {
        return call::test::refusal_of([&] { open().save("a", "b"); });
    }
};

mode_t mode_of(const fs::path& path)
{
    struct stat found = {};
    ::lstat(path.c_str(), &found);
    return found.st_mode & 0777;
}

// Another process that has the lock.
struct held_lock {
    explicit held_lock(const fs::path& folder)
        : number(::open((folder / "tokens.json.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600))
    {
        BOOST_TEST_REQUIRE(::flock(number, LOCK_EX | LOCK_NB) == 0);
    }
    ~held_lock() { ::close(number); }
    int number;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(token_stores, store_fixture)

BOOST_AUTO_TEST_CASE(what_is_saved_is_there_for_the_next_run_and_for_nobody_else)
{
    BOOST_TEST(open().load("a") == "");
    BOOST_TEST(!fs::exists(folder));
    open().save("a", "one\n\"\xc3\xa4");
    open().save("b", "two");
    BOOST_TEST(open().load("a") == "one\n\"\xc3\xa4");
    BOOST_TEST(open().load("b") == "two");
    BOOST_TEST(open().load("c") == "");
    BOOST_TEST(mode_of(file) == 0600u);
    BOOST_TEST(mode_of(folder) == 0700u);
    open().save("a", "");
    BOOST_TEST(open().load("a") == "");
    BOOST_TEST(text() == "{\"b\":\"two\"}\n");
    BOOST_TEST(!fs::exists(folder / "tokens.json.new"));
}

BOOST_AUTO_TEST_CASE(a_file_that_others_may_read_is_refused_and_not_written)
{
    for (const mode_t mode : {0640, 0604, 0620, 0602, 0666}) {
        put("{}", mode);
        const std::string said = file.string() + ": others may read or write it: chmod 600 " + file.string();
        BOOST_TEST(load_refusal() == said);
        BOOST_TEST(save_refusal() == said);
        BOOST_TEST(text() == "{}");
    }
}

BOOST_AUTO_TEST_CASE(links_are_not_followed)
{
    const fs::path elsewhere = scratch / "elsewhere";
    std::ofstream(elsewhere) << "{\"a\":\"stolen\"}";
    ::chmod(elsewhere.c_str(), 0600);
    fs::create_directories(folder);
    fs::create_symlink(elsewhere, file);
    BOOST_TEST(load_refusal() == file.string() + ": it is a link, which is not followed");
    BOOST_TEST(save_refusal() == file.string() + ": it is a link, which is not followed");
    fs::remove(file);
    fs::remove(folder / "tokens.json.lock");
    fs::create_symlink(elsewhere, folder / "tokens.json.lock");
    BOOST_TEST(contains(save_refusal(), "tokens.json.lock: it is a link"));
    fs::remove(folder / "tokens.json.lock");
    fs::create_symlink(elsewhere, folder / "tokens.json.new");
    open().save("a", "b");
    BOOST_TEST(open().load("a") == "b");
    std::ifstream from(elsewhere);
    BOOST_TEST(std::string(std::istreambuf_iterator<char>(from), {}) == "{\"a\":\"stolen\"}");
}

BOOST_AUTO_TEST_CASE(a_folder_that_is_a_link_or_that_others_can_write_to_is_refused)
{
    const fs::path elsewhere = scratch / "elsewhere";
    fs::create_directory(elsewhere);
    fs::create_directory_symlink(elsewhere, folder);
    BOOST_TEST(save_refusal() == folder.string() + ": it is no folder, or a link");
    fs::remove(folder);
    fs::create_directory(folder);
    ::chmod(folder.c_str(), 0770);
    BOOST_TEST(save_refusal() == folder.string() + ": others can write to it: chmod 700 " + folder.string());
}

BOOST_AUTO_TEST_CASE(what_is_no_file_of_ours_is_refused)
{
    for (const std::string& wrong : {std::string("x"), std::string("[]"), std::string(), std::string("{\"a\":")}) {
        put(wrong);
        BOOST_TEST(load_refusal() == file.string() + ": it is not what was written there: remove it, and log in again");
    }
    put(std::string((1 << 20) + 1, ' '));
    BOOST_TEST(contains(load_refusal(), "longer than 1048576 bytes"));
    fs::remove(file);
    BOOST_TEST_REQUIRE(::mkfifo(file.c_str(), 0600) == 0);
    BOOST_TEST(load_refusal() == file.string() + ": it is no file"); // and nobody waits for a writer
    fs::remove(file);
    BOOST_TEST(contains(call::test::refusal_of([&] { open().save("a", std::string(1 << 20, 'x')); }), "longer than"));
}

BOOST_AUTO_TEST_CASE(a_text_waits_for_the_lock_of_another_process_without_blocking)
{
    open().save("a", "old");
    const auto store = open();
    std::optional<held_lock> lock(std::in_place, folder);
    store.save("a", "new");
    store.save("b", "too");
    BOOST_TEST(store.load("a") == "new");
    BOOST_TEST(text() == "{\"a\":\"old\"}\n");
    lock.reset();
    context.run(); // until the timer has saved it
    BOOST_TEST(text() == "{\"a\":\"new\",\"b\":\"too\"}\n");
}

BOOST_AUTO_TEST_CASE(what_waits_is_saved_at_the_end)
{
    open().save("a", "old");
    {
        const auto store = open();
        const held_lock lock(folder);
        store.save("a", "new");
    }
    BOOST_TEST(text() == "{\"a\":\"new\"}\n");
}

BOOST_AUTO_TEST_CASE(what_was_saved_longest_ago_makes_room)
{
    const std::string large(300'000, 'x');
    open().save("first", large);
    open().save("second", large);
    open().save("third", large);
    open().save("first", "small");
    open().save("fourth", large);
    BOOST_TEST(open().load("second").size() == large.size());
    open().save("fifth", large);
    BOOST_TEST(open().load("second") == "");
    BOOST_TEST(open().load("first") == "small");
    BOOST_TEST(open().load("fifth").size() == large.size());
    BOOST_TEST(fs::file_size(file) <= 1u << 20);
    for (int i = 0; i < 200; ++i)
        open().save("many " + std::to_string(i), std::string(10'000, 'y'));
    BOOST_TEST(fs::file_size(file) <= 1u << 20);
    BOOST_TEST(open().load("many 199").size() == 10'000u);
    BOOST_TEST(open().load("fifth") == "");
}

BOOST_AUTO_TEST_CASE(one_at_a_time_refreshes_the_tokens_of_a_name)
{
    auto one = lock(open(), "a");
    BOOST_TEST_REQUIRE(one.wait());
    auto of_another_name = lock(open(), "b");
    BOOST_TEST(bool(of_another_name.wait()));
    auto other = lock(open(), "a");
    for (int i = 0; i < 3; ++i) // it asks again, and nothing is blocked
        context.run_one();
    BOOST_TEST(!other.is_done());
    one.drop();
    BOOST_TEST(bool(other.wait()));
}

BOOST_AUTO_TEST_CASE(a_lock_that_somebody_keeps_is_gone_without)
{
    auto one = lock(open(), "a");
    BOOST_TEST_REQUIRE(one.wait());
    auto other = lock(open(std::chrono::milliseconds(1)), "a");
    BOOST_TEST(!other.wait());
    fs::create_directories(scratch / "closed");
    std::ofstream(scratch / "closed" / "partyline") << "no folder";
    auto nowhere = lock(make_token_store(context.get_executor(), (scratch / "closed").string()), "a");
    BOOST_TEST(!nowhere.wait());
}

BOOST_AUTO_TEST_CASE(others_are_held_back_until_the_tokens_are_in_the_file)
{
    const auto store = open();
    auto one = lock(store, "a");
    BOOST_TEST_REQUIRE(one.wait());
    std::optional<held_lock> of_the_file(std::in_place, folder);
    store.save("a", "new");
    one.drop();
    auto other = lock(open(), "a");
    for (int i = 0; i < 3; ++i)
        context.run_one();
    BOOST_TEST(!other.is_done());
    of_the_file.reset();
    BOOST_TEST(bool(other.wait()));
    BOOST_TEST(open().load("a") == "new");
}

BOOST_AUTO_TEST_SUITE_END()
