//! The figures, each a ratio of two counts.

use jantaku_engine::{DrawReason, Yaku};

use crate::play::{FU, Groups, HAN, HONBA, POINTS, TURNS, player, player_index, table};

/// A group of figures that are shown together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Section {
    /// How hands end, dealer repeats, honba.
    Hands,
    /// Reasons of draws.
    Draws,
    /// The turns in which hands are won.
    Turns,
    /// The yaku of wins.
    Yaku,
    /// The han of wins, and the dora in them.
    Han,
    /// The fu of wins.
    Fu,
    /// The points of wins.
    Points,
    /// Lengths of games, busts, comebacks.
    Games,
    /// What players do.
    Players,
}

impl Section {
    /// All sections in order.
    pub const ALL: [Section; 9] = [
        Section::Hands,
        Section::Draws,
        Section::Turns,
        Section::Yaku,
        Section::Han,
        Section::Fu,
        Section::Points,
        Section::Games,
        Section::Players,
    ];

    /// The name on the command line and in the names of figures.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Section::Hands => "hands",
            Section::Draws => "draws",
            Section::Turns => "turns",
            Section::Yaku => "yaku",
            Section::Han => "han",
            Section::Fu => "fu",
            Section::Points => "points",
            Section::Games => "games",
            Section::Players => "players",
        }
    }

    /// The section with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Section> {
        Section::ALL.into_iter().find(|section| section.name() == name)
    }
}

/// A figure: a count divided by another count.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Figure {
    /// The section.
    pub section: Section,
    /// The name in the section.
    pub name: String,
    /// The group of players, as an index into [`Groups::names`]; 0 (`all`) for figures of the whole
    /// table.
    pub group: usize,
    /// Whether the figure is a rate, a share of cases; otherwise it is a mean.
    pub is_rate: bool,
    /// What the denominator counts: the cases of a rate, or what a mean is taken over.
    pub per: &'static str,
    /// Whether the figure is hidden if it has no events, because under most rules it cannot have
    /// any.
    pub is_special: bool,
    /// The index of the numerator in [`crate::play::Counts`].
    pub(super) numerator: usize,
    /// The index of the denominator.
    pub(super) denominator: usize,
}

/// All figures in order.
pub(super) fn figures(groups: &Groups) -> Vec<Figure> {
    let mut all = of_hands();
    all.extend(of_draws());
    all.extend(of_wins());
    all.extend(of_games());
    (0..groups.names().len()).for_each(|group| all.extend(of_players(group)));
    all
}

/// What figures with the same denominator have in common.
#[derive(Clone, Copy)]
struct FigureKind {
    section: Section,
    is_rate: bool,
    per: &'static str,
    denominator: usize,
}

impl FigureKind {
    const fn rate(section: Section, per: &'static str, denominator: usize) -> FigureKind {
        FigureKind { section, is_rate: true, per, denominator }
    }

    const fn mean(section: Section, per: &'static str, denominator: usize) -> FigureKind {
        FigureKind { section, is_rate: false, per, denominator }
    }

    /// Means with the same denominator.
    const fn to_mean(self) -> FigureKind {
        FigureKind { is_rate: false, ..self }
    }

    fn figure(self, name: impl Into<String>, numerator: usize) -> Figure {
        let FigureKind { section, is_rate, per, denominator } = self;
        Figure {
            section,
            name: name.into(),
            group: 0,
            is_rate,
            per,
            is_special: false,
            numerator,
            denominator,
        }
    }

    /// A figure that is hidden if it has no events.
    fn special(self, name: impl Into<String>, numerator: usize) -> Figure {
        Figure { is_special: true, ..self.figure(name, numerator) }
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

fn of_hands() -> Vec<Figure> {
    let rate = FigureKind::rate(Section::Hands, "hand", table::HANDS);
    let mut all = vec![
        rate.figure("tsumo", table::TSUMO),
        rate.figure("ron", table::RON),
        rate.figure("two-ron", table::TWO_RONS),
        rate.figure("three-ron", table::THREE_RONS),
        rate.figure("draw", table::DRAWS),
        FigureKind::rate(Section::Hands, "hand after another", table::LATER_HANDS)
            .figure("dealer-repeat", table::REPEATS),
        FigureKind::mean(Section::Hands, "hand", table::HANDS).figure("honba", table::HONBA_SUM),
    ];
    all.extend(
        rate.bins(values(HONBA).iter().map(|honba| format!("honba-{honba}")).collect(), table::HONBA_BINS),
    );
    all
}

fn of_draws() -> impl Iterator<Item = Figure> {
    let of_hands = FigureKind::rate(Section::Draws, "hand", table::HANDS);
    let reason = move |(reason, index): (&DrawReason, usize)| match reason {
        DrawReason::Chombo => of_hands.special(reason.name(), index),
        _ => of_hands.figure(reason.name(), index),
    };
    let exhaustive = FigureKind::rate(Section::Draws, "empty wall", table::EXHAUSTIVE_DRAWS);
    let tenpai = move |players: usize| {
        let (name, index) = (format!("tenpai-{players}"), table::TENPAI_PLAYERS + players);
        // Games of two or three players do not have it.
        if players > 2 { exhaustive.special(name, index) } else { exhaustive.figure(name, index) }
    };
    DrawReason::ALL.iter().zip(table::REASONS..).map(reason).chain((0..5).map(tenpai))
}

/// Figures about wins: turns, yaku, han, fu, points.
fn of_wins() -> Vec<Figure> {
    let rate = FigureKind::rate(Section::Turns, "won hand", table::WON_HANDS);
    let mut all = vec![rate.to_mean().figure("mean", table::TURN_SUM)];
    all.extend(rate.bins(ranges(TURNS), table::TURN_BINS));

    let rate = FigureKind::rate(Section::Yaku, "win", table::WINS);
    let yaku = |yaku: Yaku| {
        let figure = rate.figure(yaku.name(), table::YAKU + yaku as usize);
        Figure { is_special: yaku.is_local(), ..figure }
    };
    all.extend(Yaku::all().map(yaku));

    let rate = FigureKind::rate(Section::Han, "win below yakuman", table::HAN_WINS);
    let per_win = FigureKind::mean(Section::Han, "win", table::WINS);
    all.push(rate.to_mean().figure("mean", table::HAN_SUM));
    all.extend(
        ["dora", "ura-dora", "red-fives"]
            .into_iter()
            .zip(table::DORA..)
            .map(|(name, index)| per_win.figure(name, index)),
    );
    all.push(per_win.special("kita", table::DORA + 3));
    all.extend(rate.bins(values(HAN), table::HAN_BINS));

    let rate = FigureKind::rate(Section::Fu, "win below yakuman with fu", table::FU_WINS);
    all.push(rate.to_mean().figure("mean", table::FU_SUM));
    all.extend(rate.bins(values(FU), table::FU_BINS));

    let rate = FigureKind::rate(Section::Points, "win", table::WINS);
    all.push(rate.to_mean().figure("mean", table::POINT_SUM));
    all.extend(rate.bins(ranges(POINTS), table::POINT_BINS));
    all
}

fn of_games() -> [Figure; 6] {
    let mean = FigureKind::mean(Section::Games, "game", table::GAMES);
    let rate = FigureKind::rate(Section::Games, "game", table::GAMES);
    let with_second = FigureKind::rate(Section::Games, "game with a second round", table::SECOND_ROUNDS);
    [
        mean.figure("hands", table::HANDS),
        mean.figure("decisions", table::DECISIONS),
        rate.figure("bust", table::BUSTS),
        rate.figure("lead-lost-in-last-hand", table::LEAD_LOST),
        rate.figure("won-from-last-in-last-hand", table::FROM_LAST),
        with_second.figure("won-from-last-in-second-round", table::FROM_LAST_IN_SECOND),
    ]
}

/// Figures about the players of a group.
fn of_players(group: usize) -> impl Iterator<Item = Figure> {
    let at = |count| player_index(group, count);
    let rate = |per, denominator| FigureKind::rate(Section::Players, per, at(denominator));
    let mean = |per, denominator| FigureKind::mean(Section::Players, per, at(denominator));
    let of_hands = rate("hand of a player", player::HANDS);
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
        rate("empty wall", player::EXHAUSTIVE_DRAWS).figure("tenpai", at(player::TENPAI)),
        mean("hand of a player", player::HANDS).figure("gain", at(player::GAIN)),
        mean("win", player::WINS).figure("win-points", at(player::WIN_POINTS)),
        mean("win", player::WINS).figure("win-turn", at(player::WIN_TURN)),
        rate("win", player::WINS).figure("dama", at(player::DAMA_WINS)),
        mean("deal-in", player::DEAL_INS).figure("deal-in-points", at(player::DEAL_IN_POINTS)),
        mean("riichi", player::RIICHI).figure("riichi-turn", at(player::RIICHI_TURN)),
        of_riichi.figure("win-after-riichi", at(player::RIICHI_WINS)),
        of_riichi.figure("deal-in-after-riichi", at(player::RIICHI_DEAL_INS)),
        of_calls.figure("win-after-call", at(player::CALLED_WINS)),
        of_calls.figure("deal-in-after-call", at(player::CALLED_DEAL_INS)),
        per_game.figure("points", at(player::POINTS)),
        per_game.figure("result", at(player::RESULT)),
        per_game.figure("placement", at(player::PLACEMENT_SUM)),
        of_games.figure("bust", at(player::BUSTS)),
    ];
    all.extend((1..=4).zip(at(player::PLACEMENTS)..).map(|(placement, index)| match placement {
        // Games of two or three players do not have it.
        3.. => of_games.special(format!("placement-{placement}"), index),
        _ => of_games.figure(format!("placement-{placement}"), index),
    }));
    all.into_iter().map(move |figure| Figure { group, ..figure })
}
