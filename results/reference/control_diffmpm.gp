# the gradient at zero parameters beside that of an independent program
W = 900
H = 520
load 'style.gp'
set output 'control_diffmpm.svg'
set title 'diffmpm_walker: gradient of -x at zero parameters' noenhanced font ',17'
set xlabel 'parameter: 4 x 4 amplitudes, 4 biases' noenhanced
set ylabel 'gradient [m]' noenhanced
set y2label 'difference [m]' noenhanced
set y2tics nomirror
set ytics nomirror
set y2range [-1e-8:1e-8]
set xrange [-0.7:19.7]
set yrange [-0.16:0.16]
set xzeroaxis lc rgb gray
set key top center horizontal
plot 'control_diffmpm.csv' using 'parameter':'gradient' with points pt 7 ps 0.9 lc rgb blue title 'cqopt', \
  '' using 'parameter':'independent' with points pt 6 ps 1.6 lw 1.5 lc rgb red \
    title 'independent program, p/(m + 1e-10)' noenhanced, \
  '' using 'parameter':(column('gradient') - column('independent')) axes x1y2 with impulses lw 3 \
    lc rgb '#bbbbbb' title 'difference (right)' noenhanced
