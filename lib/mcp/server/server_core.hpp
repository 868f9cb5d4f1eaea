#pragma once

#include "mcp/server/catalogue.hpp"
#include "mcp/server/server_facts.hpp"
#include "mcp/server/sessions/change_listener.hpp"

#include <partyline/mcp/profile.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace partyline::mcp {

/// All of a server but its handle: what it offers, and who is to be told of changes. Sessions share it.
///
/// Thread safety: all from any thread.
class server_core final : public std::enable_shared_from_this<server_core> {
public:
    server_core(std::string name, std::string version, server_options options);

    const server_facts& facts() const noexcept { return *facts_; }
    const partyline::profile& profile() const noexcept { return profile_; }

    /// Throws `std::invalid_argument` for a key that is taken among its kind. The number is never given twice.
    std::uint64_t add(feature_ptr added);
    void enable(std::uint64_t number, bool is_enabled);
    void remove(std::uint64_t number);
    void complete(std::string of, std::string argument, completer by);
    /// Throws `std::invalid_argument` for one that is there, or that has a method which is.
    void add(extension_ptr added);
    void tell_updated(const std::string& uri);
    void tell_resources_changed();
    void use_state_keys(const state_keys& keys) { facts_->state.use(keys); }

    /// What is offered now.
    std::shared_ptr<const catalogue> methods();
    /// Whether some that were given are not those that are offered now.
    bool has_replaced_methods();
    /// The answer to `initialize`, for a client that may call what `by` says.
    boost::json::object greeting(revision r, const access_view* by);

    /// Is told of changes from now on, for as long as it lives.
    void join(std::weak_ptr<change_listener> added);

private:
    class session_profile final : public base_protocol {
    public:
        explicit session_profile(server_core& of) noexcept : of_(of) {}
        std::shared_ptr<lifecycle> make_lifecycle() const override;

    private:
        server_core& of_;
    };
    struct entry {
        feature_ptr what;
        bool is_enabled = true;
    };

    static constexpr std::size_t least_sweep = 8;
    using listener_list = std::vector<std::shared_ptr<change_listener>>;

    std::vector<entry>::iterator find(std::uint64_t number);
    listener_list listeners() const;
    void note_change() noexcept; // the mutex is locked
    static void tell_changed(const listener_list& told, feature_kind of) noexcept;

    const std::shared_ptr<server_facts> facts_;
    const session_profile profile_{*this};
    std::mutex mutex_;           // of what follows
    std::vector<entry> entries_; // in order of their numbers
    completer_map completers_;
    feature_marks ever_{};
    std::vector<extension_ptr> extensions_;
    std::uint64_t last_number_ = 0;
    bool has_replaced_ = false;
    std::shared_ptr<const catalogue> current_; // null after a change
    std::vector<std::weak_ptr<change_listener>> listeners_;
    std::size_t sweep_at_ = least_sweep; // twice as many as there were the last time: each that joins costs the same
};

} // namespace partyline::mcp
