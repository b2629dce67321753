# amplitude that an axially vibrating bar loses in a period
W = 900
H = 520
load 'style.gp'
set output 'validation_bar.svg'
set title 'axial vibration of a bar: amplitude lost in a period' noenhanced font ',17'
set xlabel 'cells in the length, a quarter of a wave'
set ylabel 'share of the amplitude'
set logscale xy
set xtics (5, 10, 20, 40, 80, 160)
set format y '10^{%T}'
set xrange [4.5:180]
set lmargin 12
set key bottom left
f = 'validation_bar.csv'
dash(c) = c + 0 > 0.7 ? 1 : 2
is(held, c) = strcol('held') eq held && abs(column('cells_a_step') - c) < 1e-6
plot for [c in '0.8 0.1'] f using 'cells':(is('wall', c + 0) ? column('loss') : NaN) \
    with linespoints pt 7 ps 0.5 lc rgb red lw (1 + 0.1/(c + 0)) dt dash(c) title 'wall, '.c.' cells a step' noenhanced, \
  for [c in '0.8 0.1'] f using 'cells':(is('middle', c + 0) && column('loss') > 0 ? column('loss') : NaN) \
    with linespoints pt 7 ps 0.5 lc rgb blue lw (1 + 0.1/(c + 0)) dt dash(c) title 'middle, '.c.' cells a step' noenhanced
