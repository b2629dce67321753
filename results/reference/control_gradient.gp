# relative difference between adjoint and central difference by its step
W = 900
H = 520
load 'style.gp'
set output 'control_gradient.svg'
set title 'finger: gradient by the controller''s weights against differences' noenhanced font ',17'
set xlabel 'step of the difference, in parts of the weights'' scale' noenhanced
set ylabel 'relative difference' noenhanced
set logscale xy
set format '10^{%T}'
set xrange [5e-9:2e-2]
set yrange [1e-11:1]
set key top center horizontal
set lmargin 12
table = 'control_gradient.csv'
color(i) = word('#08519c #3182bd #6baed6 #cb181d', i)
plot for [i = 1:4] table using (column('steps') == 10**(i - 1) ? column('eps') : NaN):'difference' \
    with linespoints pt 7 ps 0.7 lw 2 lc rgb color(i) title sprintf('%d steps', 10**(i - 1)) noenhanced, \
  for [i = 1:4] table using (column('steps') == 10**(i - 1) ? column('eps') : NaN):'published' \
    with lines dashtype 3 lw 1 lc rgb color(i) notitle, \
  keyentry with lines dashtype 3 lc rgb gray title 'published' noenhanced
