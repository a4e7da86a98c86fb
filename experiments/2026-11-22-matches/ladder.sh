#!/usr/bin/env bash
# Plays greedy with a share of random moves against greedy: what can a match of 4,000 sets resolve?
# usage: ladder.sh PROGRAM > ladder.txt
set -euo pipefail
for share in 0.005 0.03 0.15; do
	"$1" match --challenger "noisy:base=greedy,p=$share,salt=1" --baseline greedy --sets 4000 --seed 1
	echo
done
