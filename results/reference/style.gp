# what the pictures of this folder share
set terminal svg size W,H background rgb 'white' font 'Helvetica,Arial,sans-serif,15' linewidth 1.2
set datafile separator ','
set datafile columnheaders
set border 3 linecolor rgb '#444444'
set tics nomirror out scale 0.6 textcolor rgb '#222222'
set grid linecolor rgb '#dddddd' linetype 1 linewidth 0.6
blue = '#08519c'
red = '#cb181d'
gray = '#555555'
