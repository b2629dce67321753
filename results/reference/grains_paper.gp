# how fast grains are simulated, by what GranularGym varies in its figures 3, 6 and 9
W = 1000
H = 760
load 'style.gp'
set output 'grains_paper.svg'
f = 'grains_paper.csv'
is(figure) = strcol('figure') eq figure
of(figure, case) = is(figure) && strcol('case') eq case ? column('speed') : NaN
set multiplot layout 2,2
set mxtics 1
set mytics 1
unset grid
set grid xtics ytics linecolor rgb '#dddddd'
set logscale y
set ylabel 'simulated seconds a second'
set title 'hash table (figure 3)' noenhanced
set xlabel 'buckets a grain'
set logscale x 2
set xrange [0.1:10]
set key top left
set yrange [0.02:10]
plot for [n in '1000 4000 16000'] f using 'quantity':(of('table', n)) with linespoints pt 7 ps 0.5 \
  lc rgb (n eq '1000' ? blue : n eq '4000' ? red : gray) title n.' grains' noenhanced
set title 'one loop, two, two over all grains (figure 6)' noenhanced
set xlabel 'grains'
unset logscale x
set logscale x 10
set xrange [800:20000]
sched(name) = is('schedules') && strcol('quantity') eq name ? column('speed') : NaN
plot for [s in 'one_loop two_loops_fused two_loops_split'] f using 'case':(sched(s)) with linespoints pt 7 ps 0.5 \
  lc rgb (s eq 'one_loop' ? blue : s eq 'two_loops_fused' ? red : gray) title s noenhanced
set title 'gears in the tower, 4000 grains (figure 9)' noenhanced
set xlabel 'gears'
unset logscale x
set xrange [-1:17]
unset key
set yrange [0.1:5]
plot f using 'case':(is('bodies') ? column('speed') : NaN) with linespoints pt 7 ps 0.5 lc rgb blue
set title 'grains in the tower, 8 gears (figure 9)' noenhanced
set xlabel 'grains'
set logscale x 10
set xrange [800:20000]
plot f using 'case':(is('particles') ? column('speed') : NaN) with linespoints pt 7 ps 0.5 lc rgb blue
unset multiplot
