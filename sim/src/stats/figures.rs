//! The figures that are told, each a ratio of two counts.

use jantaku_engine::{DrawReason, Yaku};

use super::counts::{FU, Groups, HAN, HONBA, POINTS, TURNS, place, player, table};

/// Figures that are told together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Section {
    /// How hands end, who deals again, counters.
    Hands,
    /// Why nobody won.
    Draws,
    /// When hands are won.
    Turns,
    /// What hands are won with.
    Yaku,
    /// Han of hands won, and where they come from.
    Han,
    /// Fu of hands won.
    Fu,
    /// Points of hands won.
    Points,
    /// Lengths of games, comebacks.
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

    /// The name on the command line and before the names of figures.
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

/// A figure: what is counted, and what it is divided by.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Figure {
    /// Where it is told.
    pub section: Section,
    /// Its name in the section.
    pub name: String,
    /// The group of players that it is about, by its place among [`Groups::names`]; 0, which is all, for what is counted once for the table.
    pub group: usize,
    /// Whether it is a share of cases; otherwise it is a mean.
    pub is_rate: bool,
    /// What it is divided by: a case of a share, or what a mean is over.
    pub per: &'static str,
    /// Whether it is left out where there were no events: most rules do not have it at all.
    pub is_special: bool,
    /// The place of what is counted.
    pub(super) of: usize,
    /// The place of what it is divided by.
    pub(super) by: usize,
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

/// What figures have in common.
#[derive(Clone, Copy)]
struct Kind {
    section: Section,
    is_rate: bool,
    per: &'static str,
    by: usize,
}

impl Kind {
    const fn share(section: Section, per: &'static str, by: usize) -> Kind {
        Kind { section, is_rate: true, per, by }
    }

    const fn mean(section: Section, per: &'static str, by: usize) -> Kind {
        Kind { section, is_rate: false, per, by }
    }

    fn figure(self, name: impl Into<String>, of: usize) -> Figure {
        let Kind { section, is_rate, per, by } = self;
        Figure { section, name: name.into(), group: 0, is_rate, per, is_special: false, of, by }
    }

    /// A figure that most rules do not have.
    fn special(self, name: impl Into<String>, of: usize) -> Figure {
        Figure { is_special: true, ..self.figure(name, of) }
    }

    /// A figure for each bin, of these names.
    fn bins(self, names: Vec<String>, of: usize) -> impl Iterator<Item = Figure> {
        names.into_iter().zip(of..).map(move |(name, place)| self.figure(name, place))
    }
}

/// Names of bins by all that falls into them; the last has no end.
fn ranges(bins: &[i32]) -> Vec<String> {
    let name = |pair: &[i32]| match (pair[0], pair[1] - 1) {
        (first, end) if first == end => first.to_string(),
        (first, end) => format!("{first}-{end}"),
    };
    let last = bins.last().map(|last| format!("{last}+"));
    bins.windows(2).map(name).chain(last).collect()
}

/// Names of bins by the one number that falls into them; the last takes more.
fn values(bins: &[i32]) -> Vec<String> {
    let (last, others) = bins.split_last().expect("there are bins");
    others.iter().map(ToString::to_string).chain([format!("{last}+")]).collect()
}

fn of_hands() -> Vec<Figure> {
    let share = Kind::share(Section::Hands, "hand", table::HANDS);
    let mut all = vec![
        share.figure("tsumo", table::TSUMO),
        share.figure("ron", table::RON),
        share.figure("two-ron", table::TWO_RONS),
        share.figure("three-ron", table::THREE_RONS),
        share.figure("draw", table::DRAWS),
        Kind::share(Section::Hands, "hand after another", table::LATER_HANDS)
            .figure("dealer-repeat", table::REPEATS),
        Kind::mean(Section::Hands, "hand", table::HANDS).figure("honba", table::HONBA_SUM),
    ];
    all.extend(
        share.bins(values(HONBA).iter().map(|honba| format!("honba-{honba}")).collect(), table::HONBA_BINS),
    );
    all
}

fn of_draws() -> impl Iterator<Item = Figure> {
    let a_hand = Kind::share(Section::Draws, "hand", table::HANDS);
    let reason = move |(reason, place): (&DrawReason, usize)| match reason {
        DrawReason::Chombo => a_hand.special(reason.name(), place),
        _ => a_hand.figure(reason.name(), place),
    };
    let empty_wall = Kind::share(Section::Draws, "empty wall", table::EMPTY_WALLS);
    let tenpai = move |players: usize| {
        let (name, place) = (format!("tenpai-{players}"), table::TENPAI_PLAYERS + players);
        // At a table of two or three there are not so many.
        if players > 2 { empty_wall.special(name, place) } else { empty_wall.figure(name, place) }
    };
    DrawReason::ALL.iter().zip(table::REASONS..).map(reason).chain((0..5).map(tenpai))
}

/// When and with what hands are won.
fn of_wins() -> Vec<Figure> {
    let share = Kind::share(Section::Turns, "won hand", table::WON_HANDS);
    let mut all = vec![Kind::mean(share.section, share.per, share.by).figure("mean", table::TURN_SUM)];
    all.extend(share.bins(ranges(TURNS), table::TURN_BINS));

    let share = Kind::share(Section::Yaku, "win", table::WINS);
    let yaku = |yaku: Yaku| {
        let figure = share.figure(yaku.name(), table::YAKU + yaku as usize);
        Figure { is_special: yaku.is_local(), ..figure }
    };
    all.extend(Yaku::all().map(yaku));

    let share = Kind::share(Section::Han, "win below yakuman", table::HAN_WINS);
    let a_win = Kind::mean(Section::Han, "win", table::WINS);
    all.push(Kind::mean(share.section, share.per, share.by).figure("mean", table::HAN_SUM));
    all.extend(
        ["dora", "ura", "red"].into_iter().zip(table::DORA..).map(|(name, place)| a_win.figure(name, place)),
    );
    all.push(a_win.special("north", table::DORA + 3));
    all.extend(share.bins(values(HAN), table::HAN_BINS));

    let share = Kind::share(Section::Fu, "win below yakuman with fu", table::FU_WINS);
    all.push(Kind::mean(share.section, share.per, share.by).figure("mean", table::FU_SUM));
    all.extend(share.bins(values(FU), table::FU_BINS));

    let share = Kind::share(Section::Points, "win", table::WINS);
    all.push(Kind::mean(share.section, share.per, share.by).figure("mean", table::POINT_SUM));
    all.extend(share.bins(ranges(POINTS), table::POINT_BINS));
    all
}

fn of_games() -> [Figure; 6] {
    let mean = Kind::mean(Section::Games, "game", table::GAMES);
    let share = Kind::share(Section::Games, "game", table::GAMES);
    let with_second = Kind::share(Section::Games, "game with a second round", table::SECOND_ROUNDS);
    [
        mean.figure("hands", table::HANDS),
        mean.figure("decisions", table::DECISIONS),
        share.figure("bust", table::BUSTS),
        share.figure("lead-lost-in-last-hand", table::LEAD_LOST),
        share.figure("won-from-last-in-last-hand", table::FROM_LAST),
        with_second.figure("won-from-last-in-second-round", table::FROM_LAST_IN_SECOND),
    ]
}

/// What the players of a group do.
fn of_players(group: usize) -> impl Iterator<Item = Figure> {
    let at = |count| place(group, count);
    let share = |per, by| Kind::share(Section::Players, per, at(by));
    let mean = |per, by| Kind::mean(Section::Players, per, at(by));
    let a_hand = share("hand of a player", player::HANDS);
    let (riichi, called) = (share("riichi", player::RIICHI), share("hand with a call", player::CALLED));
    let (a_game, games) = (mean("game of a player", player::GAMES), share("game of a player", player::GAMES));
    let mut all = vec![
        a_hand.figure("win", at(player::WINS)),
        a_hand.figure("tsumo", at(player::TSUMO)),
        a_hand.figure("ron", at(player::RON)),
        a_hand.figure("deal-in", at(player::DEAL_INS)),
        a_hand.figure("riichi", at(player::RIICHI)),
        a_hand.figure("call", at(player::CALLED)),
        share("empty wall", player::EMPTY_WALLS).figure("tenpai", at(player::TENPAI)),
        mean("hand of a player", player::HANDS).figure("gain", at(player::GAIN)),
        mean("win", player::WINS).figure("win-points", at(player::WIN_POINTS)),
        mean("win", player::WINS).figure("win-turn", at(player::WIN_TURN)),
        share("win", player::WINS).figure("dama", at(player::HIDDEN_WINS)),
        mean("deal-in", player::DEAL_INS).figure("deal-in-points", at(player::DEAL_IN_POINTS)),
        mean("riichi", player::RIICHI).figure("riichi-turn", at(player::RIICHI_TURN)),
        riichi.figure("win-after-riichi", at(player::RIICHI_WINS)),
        riichi.figure("deal-in-after-riichi", at(player::RIICHI_DEAL_INS)),
        called.figure("win-after-call", at(player::CALLED_WINS)),
        called.figure("deal-in-after-call", at(player::CALLED_DEAL_INS)),
        a_game.figure("points", at(player::POINTS)),
        a_game.figure("result", at(player::RESULT)),
        a_game.figure("place", at(player::PLACE_SUM)),
        games.figure("bust", at(player::BUSTS)),
    ];
    all.extend((1..=4).zip(at(player::PLACES)..).map(|(number, place)| match number {
        // At a table of two or three nobody has it.
        3.. => games.special(format!("place-{number}"), place),
        _ => games.figure(format!("place-{number}"), place),
    }));
    all.into_iter().map(move |figure| Figure { group, ..figure })
}
