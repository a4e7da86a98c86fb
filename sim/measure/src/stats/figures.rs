//! The figures, each a ratio of two counts.

use jantaku_engine::rules::options::{Aka, North, Renchan};
use jantaku_engine::{DrawReason, Rules, Yaku, named_enum};

use super::interval::{Estimate, Sums};
use jantaku_sim::play::{
    ALL_GROUP, By, FU, Groups, HAN, HAN_OF_FU, HAND_GROUPS, HONBA, PLACE_PARTS, PLACEMENT_PARTS, POINTS,
    Quantity, TURNS, hand_counts, hand_index, player, player_index, table,
};

named_enum! {
    /// A group of figures that are shown together, by its name on the command line and in the names of
    /// figures.
    Section {
        /// How hands end, dealer repeats, honba.
        Hands = "hands",
        /// Reasons of draws.
        Draws = "draws",
        /// The turns in which hands are won.
        Turns = "turns",
        /// The yaku of wins.
        Yaku = "yaku",
        /// The han of wins, and the dora in them.
        Han = "han",
        /// The fu of wins.
        Fu = "fu",
        /// The han and fu of wins together.
        HanFu = "han-fu",
        /// The points of wins.
        Points = "points",
        /// Lengths of games, busts, comebacks.
        Games = "games",
        /// What players do.
        Players = "players",
        /// Standard deviations and quantiles of results, points and turns.
        Spread = "spread",
    }
}

named_enum! {
    /// What kind of number a figure is, by its name in tables and JSON.
    FigureKind {
        /// A share of cases, from 0 to 1.
        Rate = "rate",
        /// A mean.
        Mean = "mean",
        /// A standard deviation.
        Sd = "sd",
        /// A quantile.
        Quantile = "quantile",
    }
}

/// Whether a figure can have events under the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Occurrence {
    /// It can.
    Possible,
    /// It is not checked whether it can: many such figures cannot. The figure is hidden if it has no events.
    Doubtful,
    /// The rules exclude it. The figure is hidden if it has no events, and exactly 0 beside a variant
    /// that can have it.
    Excluded,
}

/// A figure: a count divided by another count.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Figure {
    /// The section.
    pub section: Section,
    /// The name in the section.
    pub name: String,
    /// The group of players or hands, as an index into [`Groups::names`].
    pub group: usize,
    /// Whether the figure is a rate, a share of cases; otherwise it is a mean.
    pub is_rate: bool,
    /// What the denominator counts: the cases of a rate, or what a mean is taken over.
    pub per: &'static str,
    /// Whether the figure can have events.
    pub occurrence: Occurrence,
    /// Whether the figure is hidden if it is the same in all units, because most rules fix it: the
    /// placements, points and results of all players together.
    pub is_fixed: bool,
    /// The fewest players of a game that can have an event. Without such games the figure is hidden.
    pub(super) players: u8,
    /// The number of places if the figure is a mean placement.
    pub(super) places: Option<u8>,
    /// The quantity whose mean the figure is, if its spread is measured.
    pub(super) quantity: Option<Quantity>,
    /// How much one event adds to the numerator: more than 1 if tied players can share a place.
    pub(super) parts: i64,
    /// The index of the numerator in [`jantaku_sim::play::Counts`].
    pub(super) numerator: usize,
    /// The index of the denominator.
    pub(super) denominator: usize,
}

/// All figures. Their number and order are the same for all rules.
pub(super) fn figures(groups: &Groups, rules: &Rules) -> Vec<Figure> {
    let mut all = Vec::new();
    for hands in 0..HAND_GROUPS {
        let group = groups.name_of_hands(hands);
        all.extend(hand_figures(hands, rules).into_iter().map(|figure| Figure { group, ..figure }));
    }
    all.extend(bin_figures(rules));
    all.extend(win_figures(rules));
    all.extend(game_figures());
    for group in 0..groups.player_groups() {
        let are_all = group == ALL_GROUP || groups.has_one_agent() && groups.by(group) == By::Agent;
        let of_group = |figure: Figure| Figure { group, is_fixed: figure.is_fixed && are_all, ..figure };
        all.extend(player_figures(group, rules).into_iter().map(of_group));
    }
    let in_games = |figure: Figure| {
        let exists = groups.are_in_games(figure.group, rules);
        figure.if_rules(exists)
    };
    all.into_iter().map(in_games).collect()
}

/// Whether games under these rules can have an event of the figure with this name.
pub fn can_occur(name: &str, rules: &Rules) -> bool {
    let is_possible = |figure: &Figure| figure.occurrence != Occurrence::Excluded;
    figures(&Groups::default(), rules)
        .iter()
        .any(|figure| is_possible(figure) && figure.names().iter().any(|of| of == name))
}

impl Figure {
    /// The section and the name in the section: `draws.exhaustive`.
    pub fn full_name(&self) -> String {
        format!("{}.{}", self.section.name(), self.name)
    }

    /// The figure's value and interval. None if there are no cases. A figure that the rules exclude
    /// is exactly 0, with the interval 0 to 0.
    pub fn estimate(&self, sums: &Sums) -> Option<Estimate> {
        match (self.is_impossible(sums), self.is_rate) {
            (true, _) => Some(Estimate::ZERO),
            (false, true) => sums.rate(),
            (false, false) => sums.mean(),
        }
    }

    /// Whether no case of these sums could be an event.
    pub(super) fn is_impossible(&self, sums: &Sums) -> bool {
        self.occurrence == Occurrence::Excluded && sums.y == 0 && sums.x != 0
    }

    /// Whether the rules of every game give the figure the same value: the placements of all players.
    pub(super) fn is_always_fixed(&self) -> bool {
        self.is_fixed && self.name.starts_with("placement")
    }

    /// This figure, excluded unless the rules allow it.
    fn if_rules(self, allowed: bool) -> Figure {
        Figure { occurrence: if allowed { self.occurrence } else { Occurrence::Excluded }, ..self }
    }

    /// This figure, which only games of at least this many players can have.
    fn if_players(self, players: u8, rules: &Rules) -> Figure {
        Figure { players, ..self }.if_rules(players <= rules.players.count())
    }
}

/// What figures with the same denominator have in common.
#[derive(Clone, Copy)]
struct Ratio {
    section: Section,
    is_rate: bool,
    per: &'static str,
    denominator: usize,
}

impl Ratio {
    const fn rate(section: Section, per: &'static str, denominator: usize) -> Ratio {
        Ratio { section, is_rate: true, per, denominator }
    }

    const fn mean(section: Section, per: &'static str, denominator: usize) -> Ratio {
        Ratio { section, is_rate: false, per, denominator }
    }

    /// Means with the same denominator.
    const fn to_mean(self) -> Ratio {
        Ratio { is_rate: false, ..self }
    }

    fn figure(self, name: impl Into<String>, numerator: usize) -> Figure {
        let Ratio { section, is_rate, per, denominator } = self;
        Figure {
            section,
            name: name.into(),
            group: 0,
            is_rate,
            per,
            occurrence: Occurrence::Possible,
            is_fixed: false,
            players: 1,
            places: None,
            quantity: None,
            parts: 1,
            numerator,
            denominator,
        }
    }

    /// A figure that is hidden if it is the same in all units.
    fn fixed(self, name: impl Into<String>, numerator: usize) -> Figure {
        Figure { is_fixed: true, ..self.figure(name, numerator) }
    }

    /// A figure for each bin, with these names; `first` is the index of the first bin.
    fn bins(self, names: Vec<String>, first: usize) -> impl Iterator<Item = Figure> {
        names.into_iter().zip(first..).map(move |(name, index)| self.figure(name, index))
    }
}

/// Names of bins by their ranges, such as `4-6`; the last is open, such as `19+`.
fn ranges(bins: &[i32]) -> Vec<String> {
    let name = |pair: &[i32]| match (pair[0], pair[1] - 1) {
        (first, end) if first == end => first.to_string(),
        (first, end) => format!("{first}-{end}"),
    };
    let last = bins.last().map(|last| format!("{last}+"));
    bins.windows(2).map(name).chain(last).collect()
}

/// Names of bins by their lowest numbers, such as `30`; the last is open, such as `120+`.
fn values(bins: &[i32]) -> Vec<String> {
    let (last, others) = bins.split_last().expect("there are bins");
    others.iter().map(ToString::to_string).chain([format!("{last}+")]).collect()
}

/// Figures about the hands of a group: how they end, why they are drawn, and means of wins.
fn hand_figures(group: usize, rules: &Rules) -> Vec<Figure> {
    use hand_counts as hand;
    let at = |count| hand_index(group, count);
    let rate = |section, per, denominator| Ratio::rate(section, per, at(denominator));
    let mean = |section, per, denominator| Ratio::mean(section, per, at(denominator));
    let of_hands = rate(Section::Hands, "hand", hand::HANDS);
    let of_draws = rate(Section::Draws, "hand", hand::HANDS);
    let mut all = vec![
        of_hands.figure("tsumo", at(hand::TSUMO)),
        of_hands.figure("ron", at(hand::RON)),
        of_hands.figure("two-ron", at(hand::TWO_RONS)).if_rules(rules.most_winners() >= 2),
        of_hands.figure("three-ron", at(hand::THREE_RONS)).if_rules(rules.most_winners() >= 3),
        of_hands.figure("draw", at(hand::DRAWS)),
        rate(Section::Hands, "hand before another", hand::EARLIER_HANDS)
            .figure("dealer-repeat", at(hand::REPEATS))
            .if_rules(rules.renchan != Renchan::Never.into()),
        of_hands.to_mean().figure("riichi", at(hand::RIICHI)),
        of_hands.to_mean().figure("honba", at(hand::HONBA_SUM)),
        mean(Section::Turns, "won hand", hand::WON_HANDS).figure("mean", at(hand::TURN_SUM)),
        mean(Section::Han, "win below yakuman", hand::HAN_WINS).figure("mean", at(hand::HAN_SUM)),
        mean(Section::Points, "win", hand::WINS).figure("mean", at(hand::POINT_SUM)),
    ];
    all.extend(
        DrawReason::ALL
            .into_iter()
            .zip(at(hand::REASONS)..)
            .map(|(reason, index)| of_draws.figure(reason.name(), index).if_rules(rules.can_draw_by(reason))),
    );
    all
}

/// How often each number of honba, of tenpai players and of turns occurs.
fn bin_figures(rules: &Rules) -> Vec<Figure> {
    let at = |count| hand_index(ALL_GROUP, count);
    let of_hands = Ratio::rate(Section::Hands, "hand", at(hand_counts::HANDS));
    let honba = values(HONBA).iter().map(|honba| format!("honba-{honba}")).collect();
    let no_honba = rules.renchan == Renchan::Never.into();
    let mut all: Vec<Figure> = of_hands
        .bins(honba, table::HONBA_BINS)
        .enumerate()
        .map(|(honba, figure)| figure.if_rules(honba == 0 || !no_honba))
        .collect();

    let of_draws = Ratio::rate(Section::Draws, "exhaustive draw", at(hand_counts::EXHAUSTIVE_DRAWS));
    all.extend((0..5).zip(table::TENPAI_PLAYERS..).map(|(players, index)| {
        of_draws.figure(format!("tenpai-{players}"), index).if_players(players, rules)
    }));

    let of_won = Ratio::rate(Section::Turns, "won hand", at(hand_counts::WON_HANDS));
    all.extend(of_won.bins(ranges(TURNS), table::TURN_BINS));
    all
}

/// Figures about wins: yaku, han, fu, points.
fn win_figures(rules: &Rules) -> Vec<Figure> {
    let (wins, han_wins) =
        (hand_index(ALL_GROUP, hand_counts::WINS), hand_index(ALL_GROUP, hand_counts::HAN_WINS));
    let rate = Ratio::rate(Section::Yaku, "win", wins);
    let excluded = rules.excluded_yaku();
    let yaku =
        |yaku: Yaku| rate.figure(yaku.name(), table::YAKU + yaku as usize).if_rules(!excluded.contains(yaku));
    let mut all: Vec<Figure> = Yaku::all().map(yaku).collect();

    let rate = Ratio::rate(Section::Han, "win below yakuman", han_wins);
    let per_win = Ratio::mean(Section::Han, "win", wins);
    let dora = [
        ("dora", rules.max_indicators() > 0),
        ("ura-dora", rules.ura),
        ("red-fives", rules.aka != Aka { m: 0, p: 0, s: 0 }),
        ("kita", rules.north == North::Nukidora),
    ];
    all.extend(
        dora.into_iter()
            .zip(table::DORA..)
            .map(|((name, allowed), index)| per_win.figure(name, index).if_rules(allowed)),
    );
    all.extend(rate.bins(values(HAN), table::HAN_BINS));

    let rate = Ratio::rate(Section::Fu, "win below yakuman with fu", table::FU_WINS);
    all.push(rate.to_mean().figure("mean", table::FU_SUM));
    all.extend(rate.bins(values(FU), table::FU_BINS));
    all.extend(han_fu_figures(rate));

    let rate = Ratio::rate(Section::Points, "win", wins);
    all.extend(rate.bins(ranges(POINTS), table::POINT_BINS));
    all
}

/// Shares of wins with both a number of han and a number of fu. Many pairs are impossible.
fn han_fu_figures(of_fu: Ratio) -> impl Iterator<Item = Figure> {
    let of_both = Ratio { section: Section::HanFu, ..of_fu };
    let pairs = values(HAN_OF_FU)
        .into_iter()
        .flat_map(|han| values(FU).into_iter().map(move |fu| format!("{han}-han-{fu}-fu")));
    let figure =
        move |(name, index)| Figure { occurrence: Occurrence::Doubtful, ..of_both.figure(name, index) };
    pairs.zip(table::HAN_FU..).map(figure)
}

fn game_figures() -> [Figure; 6] {
    let mean = Ratio::mean(Section::Games, "game", table::GAMES);
    let hands = hand_index(ALL_GROUP, hand_counts::HANDS);
    let rate = Ratio::rate(Section::Games, "game", table::GAMES);
    let with_second = Ratio::rate(Section::Games, "game with a second round", table::SECOND_ROUNDS);
    [
        mean.figure("hands", hands),
        mean.figure("decisions", table::DECISIONS),
        rate.figure("bust", table::BUSTS),
        rate.figure("lead-lost-in-last-hand", table::LEAD_LOST),
        rate.figure("won-from-last-in-last-hand", table::FROM_LAST),
        with_second.figure("won-from-last-in-second-round", table::FROM_LAST_IN_SECOND),
    ]
}

/// Figures about the players of a group.
fn player_figures(group: usize, rules: &Rules) -> Vec<Figure> {
    let at = |count| player_index(group, count);
    let rate = |per, denominator| Ratio::rate(Section::Players, per, at(denominator));
    let mean = |per, denominator| Ratio::mean(Section::Players, per, at(denominator));
    let of_hands = rate("hand of a player", player::HANDS);
    let per_win = mean("win", player::WINS);
    let (of_riichi, of_calls) = (rate("riichi", player::RIICHI), rate("hand with a call", player::CALLED));
    let (per_game, of_games) =
        (mean("game of a player", player::GAMES), rate("game of a player", player::GAMES));
    let mut all = vec![
        of_hands.figure("win", at(player::WINS)),
        of_hands.figure("tsumo", at(player::TSUMO)),
        of_hands.figure("ron", at(player::RON)),
        of_hands.figure("deal-in", at(player::DEAL_INS)),
        of_hands.figure("riichi", at(player::RIICHI)),
        of_hands.figure("call", at(player::CALLED)),
        rate("exhaustive draw", player::EXHAUSTIVE_DRAWS).figure("tenpai", at(player::TENPAI)),
        mean("hand of a player", player::HANDS).figure("gain", at(player::GAIN)),
        Figure {
            quantity: Some(Quantity::WinPoints),
            ..per_win.figure("win-points", at(player::WIN_POINTS))
        },
        Figure { quantity: Some(Quantity::WinTurn), ..per_win.figure("win-turn", at(player::WIN_TURN)) },
        rate("win", player::WINS).figure("dama", at(player::DAMA_WINS)),
        mean("deal-in", player::DEAL_INS).figure("deal-in-points", at(player::DEAL_IN_POINTS)),
        mean("riichi", player::RIICHI).figure("riichi-turn", at(player::RIICHI_TURN)),
        of_riichi.figure("win-after-riichi", at(player::RIICHI_WINS)),
        of_riichi.figure("deal-in-after-riichi", at(player::RIICHI_DEAL_INS)),
        of_calls.figure("win-after-call", at(player::CALLED_WINS)),
        of_calls.figure("deal-in-after-call", at(player::CALLED_DEAL_INS)),
        Figure { quantity: Some(Quantity::Points), ..per_game.fixed("points", at(player::POINTS)) },
        Figure { quantity: Some(Quantity::Result), ..per_game.fixed("result", at(player::RESULT)) },
        Figure {
            places: Some(rules.players.count()),
            parts: PLACEMENT_PARTS,
            ..per_game.fixed("placement", at(player::PLACEMENT_SUM))
        },
        of_games.figure("bust", at(player::BUSTS)),
    ];
    all.extend((1..=4).zip(at(player::PLACEMENTS)..).map(|(placement, index)| {
        let figure = of_games.fixed(format!("placement-{placement}"), index).if_players(placement, rules);
        Figure { parts: PLACE_PARTS, ..figure }
    }));
    all
}
