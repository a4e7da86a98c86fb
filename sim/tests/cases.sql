-- How `statistics.py` counts the cases of conditional tables a second time, in the run RUN: four players under
-- `tenhou`, with hidden hands and walls. The second part needs the table `known`: the shanten and the waits of
-- each hand in `held`, which `statistics.py` finds.

-- A tile of the wall: 52 are dealt, 70 live, 14 dead; the indicators are 130, 128, and so on.
create or replace macro wall_tile(wall, place) as substr(wall, 2 * place::int + 1, 2);
create or replace macro is_discard(act) as regexp_matches(act, '^[0-9]{2}[mpsz]');

-- Decisions with hidden hands and the public actions so far.
create or replace table d as
    select d.*, o.tiles as hands, if(history = '', []::varchar[], split(history, ' ')) as acts,
        regexp_matches(action_text, 'discard |tsumogiri ') as throws, split_part(action_text, ' ', -1) as thrown
    from 'RUN/decisions/*.parquet' d join 'RUN/oracle/*.parquet' o using (game, hand, step, seat);

-- All public actions of each hand: what the last decision saw, its discard, and the forced discards after it,
-- which are the last tiles of the wall.
create or replace table told as
    with last as (select distinct on (game, hand) * from d where phase <> 'end' order by game, hand, decision desc),
    seen as (select game, hand, acts || if(throws, [seat || thrown || if(action_text like '%tsumogiri%', '*', '')
        || if(action_text like 'riichi%', 'r', '')], []) as acts from last),
    counted as (select seen.*, wall, list_sum(discards) - len(list_filter(acts, lambda act: is_discard(act))) as missing,
        len(list_filter(acts, lambda act: regexp_matches(act, '<|\[[0-9]{4}|\+'))) as kans
        from seen join 'RUN/hands/*.parquet' using (game, hand) join 'RUN/walls/*.parquet' using (game, hand))
    select game, hand, wall, acts || list_transform(range(missing::bigint),
        lambda j: ((acts[-1][1]::int + 1 + j) % 4) || wall_tile(wall, 122 - kans - missing + j) || '*') as acts
    from counted;

-- One row for each public action, and the honours that it makes visible.
create or replace table e as
    select game, hand, wall, n, act, act[1]::int as seat, is_discard(act) as throws,
        if(is_discard(act), replace(act[2], '0', '5') || act[3], null) as kind,
        act like '%*%' as drawn, act like '%r' as riichi, act like '%[%' as calls, act like '%<%' as ankan,
        regexp_matches(act, '\+|\[[0-9]{4}') as open_kan,
        if(act like '%z%', regexp_extract(act, '([0-9])z', 1) || 'z', null) as honour,
        case when is_discard(act) or act like '%+%' then 1 when act like '%<%' then 4
            else len(regexp_extract(act, '[0-9]+z')) - 2 end as shown
    from (select game, hand, wall, unnest(acts) as act, generate_subscripts(acts, 1) as n from told);

-- Hidden hands after n actions: as the next decision has them, and after the last decision. A text such as
-- `123m1z5p-1z` is a hand with a drawn tile and without a discard.
create or replace table s as
    select game, hand, len(acts) as n, min_by(hands, decision) as hands from d where phase <> 'end' group by all
    union all
    select game, hand, len(acts) + 1, list_transform(hands,
        lambda tiles, x: if(x = seat + 1, tiles || coalesce(drawn, '') || '-' || thrown, tiles))
    from (select distinct on (game, hand) * from d where phase <> 'end' order by game, hand, decision desc) where throws;
create or replace table dealt as select game, hand, x, hands[x + 1] as tiles from s, range(4) seats(x) where n = 0;
create or replace table hands_at as
    select e.game, e.hand, e.n, coalesce(min_by(hands, s.n) filter (s.n >= e.n), max_by(hands, s.n)) as hands
    from e join s using (game, hand) where throws group by all;

-- Each discard with the state of each player x: of the one who discards after it, of the others before it.
create or replace table v as
    with discards as (
        select e.game, e.hand, e.n, e.wall, e.seat as a, e.kind, outcome = 'ron' and discarder = e.seat
            and e.n = max(e.n) over (partition by e.game, e.hand) as is_won, winners, win_points, dealer, agents[e.seat + 1] as agent
        from e join 'RUN/hands/*.parquet' using (game, hand) join (select game, agents from 'RUN/games/*.parquet') using (game)),
    thrown as (
        select *, max(n) over (partition by game, hand order by n rows between unbounded preceding and 1 preceding) as before
        from discards where kind is not null),
    states as (
        select t.game, t.hand, t.n, x, a, t.wall, t.kind, agent, x = dealer as dealer, is_won, winners, win_points,
            count(*) filter (e.seat = x and throws) as turn, max(if(e.seat = x and riichi, e.n, null)) as riichi_at,
            count(*) filter (e.seat = x and calls) as melds,
            max_by(if(drawn, 'tsumogiri', 'tedashi'), e.n) filter (e.seat = x and throws) as tedashi,
            list(e.kind order by e.n) filter (e.seat = x and throws) as river,
            list(struct_pack(n := e.n, seat := e.seat, kind := e.kind)) filter (throws) as earlier,
            1 + count(*) filter (ankan) + count(*) filter (open_kan and e.n < before) as indicators
        from thrown t cross join range(4) seats(x)
            left join e on e.game = t.game and e.hand = t.hand and (e.n < t.n or e.n = t.n and x = a)
        group by all),
    shown as (
        select game, hand, n, x, wall, indicators, honour, sum(shown) as shown from (
            select t.game, t.hand, t.n, x, wall_tile(t.wall, 130 - 2 * k) as honour, 1 as shown, t.wall, indicators
            from states t, range(5) ks(k) where k < indicators
            union all
            select t.game, t.hand, t.n, x, e.honour, e.shown, t.wall, indicators
            from states t join e on e.game = t.game and e.hand = t.hand and (e.n < t.n or e.n = t.n and x = a) where honour is not null)
        where honour like '%z' group by all)
    select t.* exclude (tedashi, earlier), coalesce(tedashi, 'none') as tedashi, riichi_at is not null as riichi,
        len(list_filter(coalesce(river, [])[1:6], lambda kind: regexp_matches(kind, '[2-8][mps]'))) as early,
        list_transform(list_filter(coalesce(earlier, []), lambda act: act.seat = x or act.n > riichi_at), lambda act: act.kind) as safe,
        if(riichi_at is null or x = a, 0, 1 + len(list_filter(earlier, lambda act: act.seat = a and act.n > riichi_at))) as after,
        hands[x + 1] as tiles, hands[a + 1] as own, dealt.tiles as dealt,
        map_from_entries(list((honour, shown)) filter (honour is not null)) as visible
    from states t join hands_at using (game, hand, n) join dealt using (game, hand, x)
        left join (select game, hand, n, x, honour, shown from shown) using (game, hand, n, x)
    group by all;
create or replace table held as select distinct unnest([tiles, own, dealt]) as text from v;
-- SECOND PART

create or replace macro beside(kind, steps) as (kind[1]::int + steps)::varchar || kind[2];
create or replace macro covered(kind, safe) as case
    when kind[1]::int < 4 then 2 * list_contains(safe, beside(kind, 3))::int
    when kind[1]::int > 6 then 2 * list_contains(safe, beside(kind, -3))::int
    else list_contains(safe, beside(kind, 3))::int + list_contains(safe, beside(kind, -3))::int end;
create or replace macro class_of(kind, safe, visible) as case
    when list_contains(safe, kind) then 'genbutsu'
    when kind[2] = 'z' then 'honour-' || coalesce(visible[kind], 0)
    else ['no-suji-', 'half-suji-', 'suji-'][covered(kind, safe) + 1]
        || ['19', '28', '37', '456', '456', '456', '37', '28', '19'][kind[1]::int] end;

-- The state of each player with what is hidden.
create or replace table state as
    select v.* replace (if(dealer, 'yes', 'no') as dealer, if(v.riichi, 'yes', 'no') as riichi),
        first.shanten as shanten, held.waits as waits, is_won and list_contains(winners, x) as wins,
        if(declared.riichi, 'riichi', if(own.waits = [], 'noten', 'tenpai')) as discarder
    from v join known held on held.text = v.tiles join known own on own.text = v.own join known first on first.text = v.dealt
        join (select game, hand, n, riichi from v where x = a) declared using (game, hand, n);

-- The cases: the game, the conditions, and the measures. Conditions and measures have their names in the program.
create or replace view discards as
    select game, agent, dealer, shanten, turn, riichi, melds, tedashi, early, waits <> [] as tenpai, is_won as "deal-in"
    from state where x = a;
create or replace view tiles as
    select game, agent, dealer, shanten, turn, riichi, melds, tedashi, early, class_of(k, safe, visible) as class,
        list_contains(state.waits, k) as waits
    from state, (select rank || suit as k from range(1, 10) r(rank), unnest(['m', 'p', 's', 'z']) s(suit) where rank < 8 or suit <> 'z')
    where x = a;
create or replace view danger as
    select game, agent, dealer, shanten, turn, riichi, melds, tedashi, early, class_of(kind, safe, visible) as class, discarder,
        after as "after-riichi", state.waits <> [] as tenpai, list_contains(state.waits, kind) as waits, wins as "deal-in",
        if(wins, win_points[list_position(winners, x)], 0) as points
    from state where x <> a;
create or replace view "deal-ins" as select * exclude (tenpai, waits, "deal-in") from danger where "deal-in";
create or replace view decisions as
    select game, agent, if(round % 4 = seat, 'yes', 'no') as dealer, turn, if(riichi >> seat & 1 = 1, 'yes', 'no') as riichi,
        len(melds) - len(replace(melds, '[', '')) as melds, phase,
        case when action_text like 'riichi%' then 'riichi' when action_text in ('kyuushu kyuuhai', 'keep closed', 'end game')
            then action_text else split_part(action_text, ' ', 1) end as action
    from d;
create or replace table at_end as
    select h.game, h.hand, x, agents[x + 1] as agent, if(x = dealer, 'yes', 'no') as dealer, shanten, discards[x + 1] as discards,
        riichi_turn[x + 1] as riichi_turn, calls[x + 1] as calls, list_contains(winners, x) as win,
        coalesce(discarder = x, false) as "deal-in", winners = [] as draw, deltas[x + 1] as gain
    from 'RUN/hands/*.parquet' h join (select game, agents from 'RUN/games/*.parquet') using (game)
        join dealt on dealt.game = h.game and dealt.hand = h.hand join known on known.text = dealt.tiles;
create or replace table declared as select game, hand, n, seat as x from e where riichi;
create or replace view hands as
    select at_end.game, agent, dealer, shanten, discards as turn, calls as melds, if(n is null, 'no', 'yes') as riichi, win, "deal-in", draw, gain
    from at_end left join declared using (game, hand, x);
create or replace view riichi as
    select game, agent, dealer, shanten, riichi_turn as turn, if(number = 1, 'first', 'following') as "order", win, "deal-in", draw, gain
    from (select *, row_number() over (partition by game, hand order by n) as number
        from at_end join declared using (game, hand, x) where riichi_turn is not null);
