# largest growth of the adjoint backward in time of each run
W = 900
H = 520
load 'style.gp'
set output 'control_health.svg'
set title 'growth of the adjoint over a run: at the best design and the most of all' noenhanced font ',17'
set xlabel 'seed'
set ylabel 'growth backward in time' noenhanced
set logscale y
set format y '10^{%T}'
set xrange [0.5:5.5]
set xtics 1
set key top left
table = 'control_health.csv'
of(problem, method, by) = strcol('problem') eq problem && strcol('method') eq method ? \
  column('seed') + by : NaN
runs(i) = word('finger walker_2d walker_2d', i)
methods(i) = word('gradient_descent adam gradient_descent', i)
color(i) = word('#31a354 #08519c #cb181d', i)
plot for [i = 1:3] table using (of(runs(i), methods(i), (i - 2)*0.12)):'growth_best' with points pt 7 ps 1.2 \
    lc rgb color(i) title runs(i).', '.methods(i) noenhanced, \
  for [i = 1:3] table using (of(runs(i), methods(i), (i - 2)*0.12)):'growth_most' with points pt 6 ps 1.2 \
    lc rgb color(i) notitle
