// A bus whose server does not answer leaves its thread to itself, and libcrypto frees at the exit of the process what
// that thread has read. Nothing of ours could wait for it. The report would fail a run in which each test has passed.

#ifdef __has_feature
#if __has_feature(thread_sanitizer)
extern "C" const char* __tsan_default_suppressions(); // NOLINT(bugprone-reserved-identifier): ThreadSanitizer's name
extern "C" const char* __tsan_default_suppressions()  // NOLINT(bugprone-reserved-identifier)
{
    return "called_from_lib:libcrypto.so\n";
}
#endif
#endif
