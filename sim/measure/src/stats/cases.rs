//! The vocabulary of conditional tables: cases, the conditions that divide them, and their measures.
//!
//! `sim/docs/statistics.md` defines all of them.

use jantaku_engine::{Action, ActionId, Declare, Known, TileKind, TileSet, named_enum};
use jantaku_sim::run::RequestError;

use super::figures::FigureKind;

named_enum! {
    /// What a conditional table counts, by its name on the command line.
    Cases {
        /// Decisions of players.
        Decisions = "decisions",
        /// Hands of players, with the conditions at the end of the hand.
        Hands = "hands",
        /// Accepted riichi.
        Riichi = "riichi",
        /// Discards, with the conditions right after the discard.
        Discards = "discards",
        /// Every tile kind after each discard, as a wait of the player who discarded.
        Tiles = "tiles",
        /// Discards against each opponent.
        Danger = "danger",
        /// Discards against each opponent who wins on them.
        DealIns = "deal-ins",
    }
}

named_enum! {
    /// What divides cases, by its name on the command line.
    ///
    /// Conditions from `Dealer` to `Early` are about one player: in `danger` and `deal-ins` the
    /// opponent, otherwise the player whose case it is.
    Condition {
        /// The agent: in `danger` and `deal-ins` that of the player who discards.
        Agent = "agent",
        /// Whether the player is the dealer.
        Dealer = "dealer",
        /// The shanten of the 13 tiles that the player was dealt.
        Shanten = "shanten",
        /// The number of the player's discards so far.
        Turn = "turn",
        /// Whether the player has declared riichi.
        Riichi = "riichi",
        /// How many discards the player has called.
        Melds = "melds",
        /// Whether the player's latest discard came from the hand or was the tile just drawn.
        Tedashi = "tedashi",
        /// How many of the player's first six discards are tiles from 2 to 8.
        Early = "early",
        /// What the table says about the tile: genbutsu, suji, visible honours.
        Class = "class",
        /// The hand of the player who discards, after the discard.
        Discarder = "discarder",
        /// The discarder's discards since the opponent's riichi, including this one.
        AfterRiichi = "after-riichi",
        /// Whether another player was in riichi before.
        Order = "order",
        /// What the player decides on.
        Phase = "phase",
        /// The kind of the action.
        Action = "action",
    }
}

named_enum! {
    /// What is measured in each cell of a conditional table.
    CaseMeasure {
        /// The cases of the cell, per case of the table.
        Share = "share",
        /// The player wins the hand.
        Win = "win",
        /// The player deals in.
        DealIn = "deal-in",
        /// The hand is drawn.
        Draw = "draw",
        /// Points won or lost in the hand.
        Gain = "gain",
        /// The hand of the case is tenpai: in `danger` the opponent's.
        Tenpai = "tenpai",
        /// The hand of the case waits for the tile: in `danger` the opponent's.
        Waits = "waits",
        /// Points of the hand that wins on the discard; 0 without one.
        Points = "points",
    }
}

/// The value of each condition for a case, by its index in [`Condition::ALL`]. 0 for conditions that
/// the table does not have.
pub(super) type CaseKey = [u16; Condition::ALL.len()];

/// The most measures of a case, its share included.
pub(super) const MEASURES: usize = 5;

impl Cases {
    /// What is measured in these cases; first their share.
    pub const fn measures(self) -> &'static [CaseMeasure] {
        use CaseMeasure::{DealIn, Draw, Gain, Points, Share, Tenpai, Waits, Win};
        match self {
            Cases::Decisions => &[Share],
            Cases::Hands | Cases::Riichi => &[Share, Win, DealIn, Draw, Gain],
            Cases::Discards => &[Share, Tenpai, DealIn],
            Cases::Tiles => &[Share, Waits],
            Cases::Danger => &[Share, Tenpai, Waits, DealIn, Points],
            Cases::DealIns => &[Share, Points],
        }
    }

    /// Whether these cases have a condition.
    pub const fn have(self, condition: Condition) -> bool {
        match condition {
            Condition::Class => matches!(self, Cases::Tiles | Cases::Danger | Cases::DealIns),
            Condition::Discarder | Condition::AfterRiichi => matches!(self, Cases::Danger | Cases::DealIns),
            Condition::Order => matches!(self, Cases::Riichi),
            Condition::Phase | Condition::Action => matches!(self, Cases::Decisions),
            _ => true,
        }
    }
}

impl CaseMeasure {
    /// Whether it is a rate or a mean.
    pub const fn kind(self) -> FigureKind {
        match self {
            CaseMeasure::Gain | CaseMeasure::Points => FigureKind::Mean,
            _ => FigureKind::Rate,
        }
    }
}

impl Condition {
    /// A value as text. `groups` are the names of all groups of players.
    pub(super) fn text(self, value: u16, groups: &[String]) -> String {
        let names: &[&str] = match (self, value) {
            (Condition::Agent, _) => {
                return groups[usize::from(value)].trim_start_matches("agent ").to_owned();
            }
            (Condition::Dealer | Condition::Riichi, _) => &["no", "yes"],
            (Condition::Tedashi, _) => &["none", "tedashi", "tsumogiri"],
            (Condition::Class, 0) => &["genbutsu"],
            (Condition::Class, HONOURS..) => return format!("honour-{}", value - HONOURS),
            (Condition::Class, _) => {
                let (suji, ranks) = ((value - 1) / 4, (value - 1) % 4);
                let suji = ["suji", "half-suji", "no-suji"][usize::from(suji)];
                return format!("{suji}-{}", ["19", "28", "37", "456"][usize::from(ranks)]);
            }
            (Condition::Discarder, _) => &["noten", "tenpai", "riichi"],
            (Condition::Order, _) => &["first", "following"],
            (Condition::Phase, _) => &["turn", "claim", "kan-claim", "draw", "end"],
            (Condition::Action, _) => {
                return ActionId::all().nth(value.into()).map_or("", |id| word(id.action())).to_owned();
            }
            _ => return value.to_string(),
        };
        names[usize::from(value)].to_owned()
    }
}

/// The kind of an action, as a word. A discard that declares riichi is a `riichi`.
fn word(action: Action) -> &'static str {
    match action {
        Action::Discard { declare: Declare::Nothing, .. }
        | Action::Tsumogiri { declare: Declare::Nothing } => action.word(),
        Action::Discard { .. } | Action::Tsumogiri { .. } => "riichi",
        _ => action.word(),
    }
}

/// The value of [`Condition::Action`] of an action: the number of the first action of its kind.
pub(super) fn action_of(action: Action) -> u16 {
    ActionId::all().position(|id| word(id.action()) == word(action)).expect("the action has a number") as u16
}

/// The first value of [`Condition::Class`] of honours, after genbutsu and four groups of ranks for each of
/// suji, half suji and no suji.
const HONOURS: u16 = 13;

/// The value of [`Condition::Class`] of a tile kind against a player. All players see `visible` copies of it.
///
/// `safe` are the kinds on which the player cannot win: their own discards, and all discards since
/// their riichi.
pub(super) fn class_of(kind: TileKind, safe: TileSet, visible: u8) -> u16 {
    if safe.contains(kind) {
        return 0;
    }
    if kind.is_honour() {
        return HONOURS + u16::from(visible);
    }
    let ends = [-3, 3].into_iter().filter_map(|steps| kind.offset(steps));
    let (all, covered) =
        ends.fold((0, 0), |(all, covered), end| (all + 1, covered + u16::from(safe.contains(end))));
    let suji = if covered == all { 0 } else { 2 - covered };
    4 * suji + u16::from(kind.rank().min(10 - kind.rank()).min(4))
}

/// What a conditional table counts, and the conditions in the order of its columns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CaseChoice {
    /// The cases.
    pub of: Cases,
    /// The conditions.
    pub by: Vec<Condition>,
}

impl CaseChoice {
    /// The cases and conditions with these names.
    ///
    /// # Errors
    ///
    /// If a name is unknown, a condition is given twice, or the cases do not have it.
    pub fn named(of: &str, by: &[impl AsRef<str>]) -> Result<CaseChoice, RequestError> {
        let wrong = |field, value: &str, what| RequestError::Value { field, value: value.to_owned(), what };
        let unknown = || wrong("of", of, Known::new(of, Cases::ALL.map(Cases::name)).to_string());
        let of = Cases::named(of).ok_or_else(unknown)?;
        let known = Condition::ALL.into_iter().filter(|condition| of.have(*condition));
        let mut found = Vec::new();
        for name in by.iter().map(AsRef::as_ref) {
            let what = match known.clone().find(|known| known.name() == name) {
                Some(condition) if !found.contains(&condition) => {
                    found.push(condition);
                    continue;
                }
                Some(_) => "expected each condition at most once".to_owned(),
                None => {
                    format!("no condition of {}; {}", of.name(), Known::new(name, known.map(Condition::name)))
                }
            };
            return Err(wrong("by", name, what));
        }
        Ok(CaseChoice { of, by: found })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_have_the_classes_that_players_name() {
        let class = |kind: &str, safe: &str, visible| {
            let [kind, safe]: [TileSet; 2] = [kind, safe].map(|text| text.parse().expect("notation"));
            Condition::Class.text(class_of(kind.first().expect("a kind"), safe, visible), &[])
        };
        let cases = [
            ("4m", "4m", "genbutsu"),
            ("1m", "4m", "suji-19"),
            ("9m", "6m", "suji-19"),
            ("2p", "5p", "suji-28"),
            ("7s", "4s", "suji-37"),
            ("5m", "28m", "suji-456"),
            ("5m", "2m", "half-suji-456"),
            ("6m", "3m", "half-suji-456"),
            ("1m", "4p", "no-suji-19"),
            ("8m", "", "no-suji-28"),
            ("3m", "", "no-suji-37"),
            ("4m", "", "no-suji-456"),
            ("6m", "", "no-suji-456"),
            ("1z", "", "honour-2"),
        ];
        for (kind, safe, name) in cases {
            assert_eq!(class(kind, safe, 2), name, "{kind} beside {safe}");
        }
    }
}
