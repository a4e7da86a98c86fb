"""The mean difference of candidates to the choice, by kind of decision, in two runs with labels.

usage: by_kind.py RUN RUN, runs of the same agents with other options of the labels
"""

import sys

import duckdb

PASS = 162
"""The number of the action `pass`."""

QUERY = """
with pairs as (
    select kind, actions[1] as choice, unnest(actions[2:]) as other, unnest(difference_sums[2:]) / deals as gain
    from read_parquet('{run}/labels/*.parquet')
), kinds as (
    select case when kind <> 'call' then kind when choice = {PASS} then 'call, the choice passes'
        when other = {PASS} then 'call, the choice calls' else 'two calls' end as kind, gain
    from pairs
)
select kind, count(*), avg(gain), stddev(gain) / sqrt(count(*)) from kinds group by kind order by kind
"""

runs = [duckdb.sql(QUERY.format(run=run, PASS=PASS)).fetchall() for run in sys.argv[1:]]
for (kind, *first), (_, *second) in zip(*runs, strict=True):
    shown = [f"{mean:+9.1f} ± {error:5.1f} of {count:9,}" for count, mean, error in (first, second)]
    print(f"{kind:24} {shown[0]}   {shown[1]}")
