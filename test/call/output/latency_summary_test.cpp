#include <boost/test/unit_test.hpp>

#include <call/output/latency_summary.hpp>

using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(latency_summaries)

BOOST_AUTO_TEST_CASE(it_tells_count_rate_and_spread)
{
    call::latency_summary all;
    for (int i = 200; i > 0; --i)
        all.add_result(i * 1ms);
    BOOST_TEST(all.to_text(2s) == "200 calls in 2.00 s, 100 calls/s, 0 errors\n"
                                  "latency: min 1.00 ms, p50 100 ms, p90 180 ms, p99 198 ms, max 200 ms");
}

BOOST_AUTO_TEST_CASE(error_replies_have_a_latency_and_failures_have_none)
{
    call::latency_summary all;
    all.add_result(1ms);
    all.add_error_reply(3ms);
    all.add_failure();
    BOOST_TEST(all.to_text(4ms) == "3 calls in 4.00 ms, 500 calls/s, 1 error, 1 failed\n"
                                   "latency: min 1.00 ms, p50 1.00 ms, p90 3.00 ms, p99 3.00 ms, max 3.00 ms");
}

BOOST_AUTO_TEST_CASE(without_an_answer_there_is_nothing_to_spread)
{
    call::latency_summary all;
    all.add_failure();
    BOOST_TEST(all.to_text(1s) == "1 call in 1.00 s, 0 calls/s, 0 errors, 1 failed");
    BOOST_TEST(call::latency_summary().to_text(0s) == "0 calls in 0.00 us, 0 calls/s, 0 errors");
}

BOOST_AUTO_TEST_SUITE_END()
