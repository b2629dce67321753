/* the list of tests/test_problems_engines.c */
CQ_ENGINE(mpm)
CQ_ENGINE(toy)
