/* CQ_BENCH_CASE(name, dimension, bits, {particles along each axis}, {nodes}, {steps}, with --quick,
 *   {ratio to the naive loop to reach: forward, backward},
 *   {naive loop on the machine the bars come from [ns]: forward, backward},
 *   {time of a step to reach there [us]: forward, backward})
 *
 * The first cases are Table II of the ChainQueen paper: its particles, its grids. Steps are those
 * of the long run and of the short one whose time is taken off. A 0 is no bar. */
/* clang-format off */
CQ_BENCH_CASE(3d_f32_8k,   3, 32, (20, 20, 20), (50, 70, 50),    (40, 2),   true,  (4.5, 4.5), (208, 521), (0, 0))
CQ_BENCH_CASE(3d_f32_64k,  3, 32, (40, 40, 40), (50, 70, 50),    (16, 2),   false, (4, 4),     (217, 521), (0, 0))
CQ_BENCH_CASE(3d_f32_512k, 3, 32, (80, 80, 80), (100, 120, 100), (10, 2),   false, (3, 3.5),   (222, 538), (0, 0))
CQ_BENCH_CASE(3d_f64_8k,   3, 64, (20, 20, 20), (50, 70, 50),    (40, 2),   false, (0, 0),     (0, 0),     (0, 0))
CQ_BENCH_CASE(3d_f64_64k,  3, 64, (40, 40, 40), (50, 70, 50),    (16, 2),   false, (2.7, 2.5), (251, 576), (0, 0))
CQ_BENCH_CASE(3d_f64_512k, 3, 64, (80, 80, 80), (100, 120, 100), (10, 2),   false, (0, 0),     (0, 0),     (0, 0))
CQ_BENCH_CASE(2d_f32_6k4,  2, 32, (80, 80, 1),  (100, 120, 1),   (100, 4), false, (2.3, 2.5), (50, 121),  (0, 0))
CQ_BENCH_CASE(2d_f64_6k4,  2, 64, (80, 80, 1),  (100, 120, 1),   (100, 4), true,  (1.8, 1.7), (55, 116),  (0, 0))
CQ_BENCH_CASE(small_2d,    2, 64, (20, 20, 1),  (64, 64, 1),     (120, 4), true,  (0, 0),     (0, 0),     (18, 36))
CQ_BENCH_CASE(sparse_3d,   3, 32, (10, 8, 5),   (128, 128, 128), (120, 4), true,  (0, 0),     (0, 0),     (0, 0))
/* clang-format on */
