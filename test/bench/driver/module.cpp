#define BOOST_TEST_MODULE bench_driver
#include <boost/test/unit_test.hpp>
