# shellcheck shell=bash
# For facts.sh: chambers under pressure, validation_chambers.csv.

# ours QUANTITY: at every number of cells
ours() { pick validation_chambers value quantity="$1" | as %.4f; }

# percent FORMAT QUANTITY
percent() { pick validation_chambers value quantity="$2" | times 100 | as "$1"; }

ours tube_volume | fact chambers.tube_volume
ours tube_outside | fact chambers.tube_outside
ours 'filled_volume|emptied_volume' | fact chambers.liquid_volume
ours 'filled_pressure|emptied_pressure' | fact chambers.liquid_pressure
for chamber in gas liquid; do
  percent %.1f "${chamber}_0.[24]" | fact "chambers.$chamber"
  percent %.0f "${chamber}_at_once_0.4" | fact "chambers.$chamber.at_once"
done
