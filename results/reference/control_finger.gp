# the best distance so far by simulations, for five seeds
W = 900
H = 520
load 'style.gp'
set output 'control_finger.svg'
set title 'finger: gradient descent, learning rate 2, five seeds' noenhanced font ',17'
set xlabel 'simulations with gradient'
set ylabel 'distance of the tip from its target at the end [m]'
set logscale y
set xrange [0:101]
set yrange [2e-3:0.2]
set format y '%g'
set key top right
set lmargin 12
seeds = 'control_finger.csv'
plot for [s = 1:5] seeds using (column('seed') == s ? column('simulations') : NaN):'distance' \
    with lines lw 0.7 lc rgb '#9ecae1' title s == 1 ? 'now' : '' noenhanced, \
  for [s = 1:5] seeds using (column('seed') == s ? column('simulations') : NaN):'best' \
    with lines lw 2 lc rgb blue title s == 1 ? 'best so far' : '' noenhanced
