//! The numbers behind the agent's estimates.

use std::path::{Path, PathBuf};

use jantaku_engine::{Players, Rules};
use serde::Deserialize;
use toml::{Table, Value};

use super::interpolated;
use super::outlook::Measured;
use crate::{ParameterFile, PlacementModel, PlacementParams};

/// The versions of the released numbers. Those of a released version never change: a run that was
/// played with them must stay what it was.
pub(super) const VERSIONS: &[&str] = &["1"];
/// The numbers of version 1.
const RELEASED: &str = include_str!("params.toml");
/// The table of numbers for games of three.
const THREE_PLAYERS: &str = "three_players";

/// Every number that [`Heuristic`](super::Heuristic) uses, read from TOML.
///
/// The file `params.toml` beside the source has all of them. The tables under `three_players`
/// replace numbers in games of three. A file that replaces some numbers has the same tables and
/// names.
#[derive(Clone, Debug, PartialEq)]
pub struct Params {
    pub(super) usual: Numbers,
    pub(super) three_players: Numbers,
}

/// The numbers for games of one kind.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Numbers {
    pub(super) outlook: OutlookParams,
    pub(super) wait: WaitParams,
    pub(super) look_ahead: LookAheadParams,
    pub(super) plan: PlanParams,
    pub(super) shape: ShapeParams,
    pub(super) value: ValueParams,
    pub(super) threat: ThreatParams,
    pub(super) danger: DangerParams,
    pub(super) push: PushParams,
    pub(super) call: CallParams,
    pub(super) others: OthersParams,
    pub(super) standing: PlacementParams,
}

/// How likely hands are to win.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OutlookParams {
    /// The chance to win with the usual ukeire, by mode (riichi, damaten, open, by tsumo alone),
    /// shanten 0–5 and draws left 2, 5, 8, 11, 14 and 17.
    pub win: Measured,
    /// The chance to be tenpai at an exhaustive draw.
    pub tenpai: Measured,
    /// The number of discards still to make.
    pub discards: Measured,
    /// The usual ukeire by mode and shanten 0–5.
    pub usual_ukeire: [[f32; 6]; 4],
    /// The power of the ukeire that the chance to win follows, by shanten 0–5 and draws left 2, 5,
    /// 8, 11, 14 and 17. With many draws left, ukeire matter less.
    pub elasticity: [[f32; 6]; 6],
    /// Factor of the chance to win after a discard that leaves more shanten than another one, by
    /// the shanten of the other one: 0, 1, more. Closed hands and open ones.
    pub step_back: [[f32; 3]; 2],
    /// Factor of the chance to win for damaten with a yaku, compared with riichi, when nobody, one
    /// player, or more than one threatens.
    pub damaten: [f32; 3],
    /// The chance that a tenpai hand stays tenpai to the draw, when the player has no draw left.
    pub last_tenpai: f32,
    /// Factor of the chance to win for a riichi in furiten.
    pub furiten_riichi: f32,
    /// Factor of the chance to win when nobody, one player, or more than one threatens, for tenpai
    /// hands and others.
    pub threats: [[f32; 3]; 2],
    /// No hand is surer to win.
    pub surest: f32,
}

/// How well tiles wait. An unseen tile counts as so many.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WaitParams {
    /// With riichi and without: honours, then terminals, ranks 2 and 8, 3 and 7, 4–6.
    pub tiles: [[f32; 5]; 2],
    /// Factor for suji of the player's own discards, with riichi and without.
    pub suji: [f32; 2],
    /// Factor for waits of more than one kind, with riichi and without.
    pub kinds: [f32; 2],
}

/// How much the tenpai hands after 1-shanten count.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LookAheadParams {
    /// The power of the ratio of these hands to usual ones that the worth of the discard follows.
    /// 0 switches the look-ahead off.
    pub power: f32,
    /// The worth of a usual tenpai hand, in the worth of a certain win.
    pub usual: f32,
    /// The least and the most ratio that counts.
    pub range: [f32; 2],
    /// Discards that are worse than the best one by more than this share are not looked at.
    pub within: f32,
    /// The most discards that are looked at.
    pub most: usize,
}

/// Which plans a hand has.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlanParams {
    /// A hand without a yaku goes for tenpai at the draw when the player has at most this many
    /// draws left.
    pub formal_draws: usize,
    /// The most tiles outside a suit and the honours for honitsu.
    pub outside_honitsu: u32,
    /// The most tiles outside a suit for chinitsu.
    pub outside_chinitsu: u32,
    /// The most tiles of ranks 4–6 for chanta.
    pub outside_chanta: u32,
    /// The most tiles that may be missing from the sequences of sanshoku and ittsuu.
    pub missing: u32,
    /// The fewest pairs and triplets for toitoi, melds included.
    pub groups: usize,
    /// With so many kinds of yaochuu, a hand goes for thirteen orphans and does not end the hand.
    pub orphans: u32,
    /// An open hand declares an ankan if its chance to win is at least this share of what it was.
    pub after_kan: f32,
}

/// What tiles do for a hand besides their ukeire.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ShapeParams {
    /// The share of the chance to win that a discard loses if the tile is next to another one in
    /// the hand, by its rank (1 or 9, 2 or 8, and so on) and the shanten 1, 2, 3 or more. Two tiles in a
    /// row make ryanmen, or later a better shape.
    pub next: [[f32; 3]; 5],
    /// The same with a tile two ranks away, and none next to it.
    pub gap: [f32; 3],
    /// The same for one tile of a pair.
    pub pair: [f32; 3],
    /// The same for one tile of a pair of valued honours that can still become a triplet.
    pub valued_pair: [f32; 3],
    /// The same for one tile of a triplet.
    pub triplet: [f32; 3],
    /// Points of keeping a tile of a suit, by its rank.
    pub lone: [f32; 5],
    /// Points of keeping an honour, by the han of its triplet, 0–2.
    pub honour: [f32; 3],
    /// Points less for an honour that is valued for every player.
    pub shared: f32,
    /// Points of keeping a dora, besides what it adds to a win.
    pub dora: f32,
    /// Points of keeping a tile for each opponent against whom it is safe to discard later, if the
    /// player has at most `safe_draws` draws left.
    pub safe: f32,
    pub safe_draws: usize,
}

/// What hands win, in points.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ValueParams {
    /// What each win counts if the agent does not weigh its value.
    pub usual: f32,
    /// An estimate without riichi by another player than the dealer, by han 1–13.
    pub by_han: [f32; 13],
    /// An estimate in riichi by another player than the dealer, by the han without riichi, 0–12.
    pub riichi: [f32; 13],
    /// Points of a ron without ippatsu and ura dora, and the mean points of a win in riichi.
    pub after_riichi: [[f32; 2]; 8],
    /// What is really won, as an offset and a factor of the estimate, by shanten 0–4: closed and
    /// open.
    pub settles: [[[f32; 2]; 5]; 2],
    /// Factor of the estimate for the dealer.
    pub dealer: f32,
    /// The chance of tanyao in a closed hand, by its yaochuu tiles 0–3.
    pub tanyao: [f32; 4],
    /// The chance of pinfu in a closed hand without triplets.
    pub pinfu: f32,
    /// The chance that a pair of valued honours becomes a triplet.
    pub valued_pair: f32,
    /// The chance that ippatsu, ura dora and tsumo add no han, one or two to a win in riichi.
    pub more_han: [f32; 3],
    /// The shares of ippatsu and of ura dora in what ippatsu, ura dora and tsumo add to a win in
    /// riichi. Without them under the rules, riichi adds so much less.
    pub ippatsu: f32,
    pub ura: f32,
    /// Points that riichi must gain before the last hand: over damaten with a yaku, and over a hand
    /// that wins by tsumo alone without riichi. By the unseen tiles to win on, 1–8.
    pub riichi_cost: [[f32; 8]; 2],
    /// How points of wins spread around their mean: factors, and their chances.
    pub spread: [[f32; 2]; 3],
    /// The share of tsumo among the player's wins.
    pub tsumo: f32,
    /// The least worth of a point: where no outcome changes the placement, points count for little.
    pub per_point: f32,
    /// `fast` plays for points alone before this many last hands of the game.
    pub last_hands: usize,
    /// Points lost by riichi that do not win, for each win of a closed hand that is not tenpai yet.
    pub lost_sticks: f32,
    /// Points that tenpai gains at an exhaustive draw, compared with noten, where noten players pay
    /// `noten_pool` points together. Under other rules the gain is in proportion.
    pub tenpai: f32,
    pub noten_pool: f32,
}

/// How likely others are tenpai, and what they win.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ThreatParams {
    /// The chance to be tenpai without riichi, by calls (0–4) and turn (4, 8, 12, 16).
    pub tenpai: [[f32; 4]; 5],
    /// Mean points of a ron in riichi by another player than the dealer.
    pub riichi_loss: f32,
    /// The same for a closed hand without riichi.
    pub closed_loss: f32,
    /// Factor of the loss for a dealer.
    pub dealer: f32,
    /// Factor of the odds to be tenpai by tsumogiri since the last discard from the hand, 0–3.
    pub unchanged: [f32; 4],
    /// Han to expect of an open hand.
    pub open_han: f32,
    /// Han to expect besides for each visible dora and each triplet of valued honours, and for a
    /// hand that looks like a flush.
    pub dora_han: f32,
    pub valued_han: f32,
    pub flush_han: f32,
    /// Factor of the risk of a tile that is dora.
    pub dora_tile: f32,
    /// The chance that a player who shows all but one triplet of dragons or winds holds a pair of
    /// the last one.
    pub big_triplet: f32,
    /// A discard is early up to this number.
    pub early: u8,
    /// Opponents with a lower chance to be tenpai are ignored.
    pub least: f32,
    /// Opponents with at least this chance to be tenpai threaten.
    pub serious: f32,
}

/// Weights of the shapes of waits.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DangerParams {
    /// Two-sided waits.
    pub ryanmen: f32,
    /// Closed waits.
    pub kanchan: f32,
    /// Edge waits.
    pub penchan: f32,
    /// Waits of a pair for a triplet.
    pub shanpon: f32,
    /// Waits of a single tile for a pair.
    pub tanki: f32,
    /// The same two with honours.
    pub honour_shanpon: f32,
    pub honour_tanki: f32,
    /// How many of these shapes a tenpai hand has on average.
    pub shapes: f32,
    /// What else matters for closed hands and for open ones.
    pub closed: ClosedDangerParams,
    pub open: OpenDangerParams,
}

/// What the waits of a closed hand depend on besides the shapes.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ClosedDangerParams {
    /// How much high chances are lowered: a chance of x becomes x / (1 + saturation · x).
    pub saturation: f32,
    /// Factor for number tiles and for honours that are dora.
    pub dora: f32,
    pub dora_honour: f32,
    /// Factor for tiles outside of early discards.
    pub outside: f32,
}

/// What the waits of an open hand depend on besides the shapes.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OpenDangerParams {
    /// Factor for all tiles.
    pub share: f32,
    /// Factor for honours.
    pub honours: f32,
    /// Factor for terminals if no meld has one.
    pub outside_tanyao: f32,
    /// Factor for the suit of a hand that looks like a flush, by melds 1–3.
    pub in_flush: [f32; 3],
    /// Factor for the other suits.
    pub outside_flush: f32,
}

/// When to go on against a threat.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PushParams {
    /// The share of the loss by dealing in that the hand would not have cost anyway. Only for an
    /// agent that plays for points alone: others compare the results of all endings.
    pub risk_share: f32,
    /// The share of the worth of playing on that remains under a threat, by shanten 0–5.
    pub under_threat: [f32; 6],
    /// The chance that each later discard deals in against one certain threat: of a hand that may
    /// still fold, and in riichi.
    pub future_danger: [f32; 2],
    /// The share of the loss by going on that remains for a hand that can fold.
    pub folded: f32,
    /// Points that a certain threat costs on average if the player does not win. Only for an agent
    /// that plays for points alone.
    pub threat_cost: f32,
}

/// When to call.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CallParams {
    /// Points by which the call of a closed hand must seem better than to pass, if the best plan is
    /// nearer to tenpai afterwards.
    closed_nearer: Margins,
    /// The same if the best plan is not nearer.
    closed_as_far: Margins,
    /// The same two for an open hand.
    open_nearer: Margins,
    open_as_far: Margins,
}

/// Points by the kind of the call (chi, pon, pon of valued honours) and shanten 0–5.
type Margins = [[f32; 6]; 3];

/// Calls whose worth is estimated differently.
#[derive(Clone, Copy, Debug)]
pub(super) enum CallKind {
    Chi,
    Pon,
    ValuedPon,
}

/// The margins of an open or of a closed hand.
pub(super) struct CallMargins<'a> {
    nearer: &'a Margins,
    as_far: &'a Margins,
}

impl CallParams {
    pub(super) const fn of(&self, is_open: bool) -> CallMargins<'_> {
        if is_open {
            CallMargins { nearer: &self.open_nearer, as_far: &self.open_as_far }
        } else {
            CallMargins { nearer: &self.closed_nearer, as_far: &self.closed_as_far }
        }
    }
}

impl CallMargins<'_> {
    /// The points of a call by a hand of this shanten.
    pub(super) fn of(&self, kind: CallKind, nearer: bool, shanten: i8) -> f32 {
        let margins = if nearer { self.nearer } else { self.as_far };
        margins[kind as usize][shanten.clamp(0, 5) as usize]
    }
}

/// What becomes of a hand in which the player neither wins nor deals in.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OthersParams {
    /// The rate at which each other player wins, for each draw that the player has left: of any
    /// hand, and added to it if they are tenpai.
    pub wins: [f32; 2],
    /// Points that they win on average, if they show nothing of their hand.
    pub points: f32,
    /// The share of tsumo among these wins.
    pub tsumo: f32,
}

/// Why parameters cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", path.display())]
pub struct ParamsError {
    path: PathBuf,
    reason: String,
}

impl Params {
    /// The parameters that the program ships with.
    ///
    /// # Panics
    ///
    /// Never: the file is part of the program.
    #[must_use]
    pub fn released() -> Params {
        Params::from_table(released()).expect("the released parameters are complete")
    }

    /// Reads parameters from a file. What it leaves out keeps the released value.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is not TOML, or has an unknown name or a wrong value.
    pub fn read(path: &Path) -> Result<Params, ParamsError> {
        Params::with_files(Some(path.to_owned()), None).map(|(params, _)| params)
    }

    /// The model that tells what a standing between two hands leads to in games of so many players.
    #[must_use]
    pub fn placements(&self, players: Players) -> PlacementModel {
        let numbers = if players == Players::Three { &self.three_players } else { &self.usual };
        PlacementModel::new(&numbers.standing)
    }

    /// The released parameters with those of a file for any of them, and of one for the model of
    /// standings, and the files that they come from.
    pub(super) fn with_files(
        params: Option<PathBuf>,
        standing: Option<PathBuf>,
    ) -> Result<(Params, Vec<ParameterFile>), ParamsError> {
        let mut files = vec![ParameterFile::new("version=1", RELEASED.as_bytes())];
        let mut all = released();
        for (option, path) in [("params", params), ("standing", standing)] {
            let Some(path) = path else { continue };
            let text = std::fs::read_to_string(&path).map_err(|error| error.to_string());
            let added = text.and_then(|text| {
                files.push(ParameterFile::new(&format!("{option}={}", path.display()), text.as_bytes()));
                let changes: Table = text.parse().map_err(|error| text_of(&error))?;
                if option == "standing" {
                    has_standing_alone(&changes)?;
                }
                has_finite_numbers("", &Value::Table(changes.clone()))?;
                merge(&mut all, changes);
                Params::from_table(all.clone())
            });
            added.map_err(|reason| ParamsError { path, reason })?;
        }
        Ok((Params::from_table(all).expect("each file was accepted"), files))
    }

    fn from_table(mut all: Table) -> Result<Params, String> {
        let three_players = all.remove(THREE_PLAYERS);
        let usual: Numbers = all.clone().try_into().map_err(|error| text_of(&error))?;
        match three_players {
            Some(Value::Table(changes)) => merge(&mut all, changes),
            Some(other) => {
                return Err(format!("`{THREE_PLAYERS}` is {}, expected a table", other.type_str()));
            }
            None => {}
        }
        let three_players: Numbers = all.try_into().map_err(|error| text_of(&error))?;
        usual.check()?;
        three_players.check().map_err(|reason| format!("in games of three, {reason}"))?;
        Ok(Params { usual, three_players })
    }
}

fn released() -> Table {
    RELEASED.parse().expect("the released parameters are TOML")
}

/// Checks that a file has nothing but the model of standings.
fn has_standing_alone(changes: &Table) -> Result<(), String> {
    let three_players = changes.get(THREE_PLAYERS).and_then(Value::as_table);
    let names = changes.keys().filter(|name| *name != THREE_PLAYERS);
    match names.chain(three_players.into_iter().flat_map(Table::keys)).find(|name| *name != "standing") {
        Some(name) => {
            Err(format!("unknown table `{name}`, expected `standing` or `{THREE_PLAYERS}.standing`"))
        }
        None => Ok(()),
    }
}

/// No number is larger. Larger ones would overflow when they are multiplied.
const LARGEST: f64 = 1e12;

/// Checks that all numbers of a value with this name are finite and of a usual size.
fn has_finite_numbers(name: &str, value: &Value) -> Result<(), String> {
    match value {
        Value::Float(number) if !(-LARGEST..=LARGEST).contains(number) => {
            Err(format!("`{name}` is {number}, expected a number from -{LARGEST:e} to {LARGEST:e}"))
        }
        Value::Integer(number) if number.unsigned_abs() > LARGEST as u64 => {
            Err(format!("`{name}` is {number}, expected a number from -{LARGEST:e} to {LARGEST:e}"))
        }
        Value::Array(values) => {
            let place = |at: usize| format!("{name}[{at}]");
            values.iter().enumerate().try_for_each(|(at, value)| has_finite_numbers(&place(at), value))
        }
        Value::Table(values) => {
            let place = |key: &str| if name.is_empty() { key.to_owned() } else { format!("{name}.{key}") };
            values.iter().try_for_each(|(key, value)| has_finite_numbers(&place(key), value))
        }
        _ => Ok(()),
    }
}

/// Replaces values by others, table by table.
fn merge(all: &mut Table, changes: Table) {
    for (name, change) in changes {
        match (all.get_mut(&name), change) {
            (Some(Value::Table(table)), Value::Table(change)) => merge(table, change),
            // Unknown names and values of another type fail when the numbers are read.
            (_, change) => {
                all.insert(name, change);
            }
        }
    }
}

fn text_of(error: &toml::de::Error) -> String {
    error.to_string().trim_end().to_owned()
}

impl Numbers {
    /// Checks what the types do not say.
    fn check(&self) -> Result<(), String> {
        let [low, high] = self.look_ahead.range;
        if low < 0.0 || low > high {
            return Err(format!(
                "`look_ahead.range` is [{low}, {high}], expected numbers from 0, the lower one first"
            ));
        }
        if let Some(rate) = self.others.wins.iter().find(|rate| **rate < 0.0) {
            return Err(format!("`others.wins` has {rate}, expected rates from 0"));
        }
        let chances = self.threat.tenpai.as_flattened();
        if let Some(chance) = chances.iter().find(|chance| !(0.0..1.0).contains(*chance)) {
            return Err(format!("`threat.tenpai` has {chance}, expected chances from 0 to below 1"));
        }
        if self.value.noten_pool <= 0.0 {
            return Err(format!("`value.noten_pool` is {}, expected more than 0", self.value.noten_pool));
        }
        self.standing.check()
    }
}

impl ValueParams {
    /// An estimate of the points of a hand with this many han, without riichi.
    pub(super) fn of_han(&self, han: f32) -> f32 {
        interpolated(&self.by_han, han - 1.0)
    }

    /// The share of what usually adds han to a win in riichi that exists under these rules.
    pub(super) const fn extras(&self, rules: &Rules) -> f32 {
        let ippatsu = if rules.ippatsu { 0.0 } else { self.ippatsu };
        let ura = if rules.ura { 0.0 } else { self.ura };
        1.0 - ippatsu - ura
    }

    /// An estimate of the points in riichi of a hand with this many han besides.
    pub(super) fn of_riichi(&self, han: f32, extras: f32) -> f32 {
        let usual = interpolated(&self.riichi, han);
        if extras < 1.0 { between(self.of_han(han + 1.0), usual, extras) } else { usual }
    }

    /// The mean points of a win in riichi, from the points of a ron without ippatsu and ura dora.
    pub(super) fn after_riichi(&self, ron: f32, extras: f32) -> f32 {
        let nodes = &self.after_riichi;
        let at = nodes.iter().position(|[node, _]| ron < *node).unwrap_or(nodes.len() - 1).max(1);
        let ([low, of_low], [high, of_high]) = (nodes[at - 1], nodes[at]);
        let usual = of_low + (of_high - of_low) * ((ron - low) / (high - low)).min(1.0);
        if extras < 1.0 { between(ron, usual, extras) } else { usual }
    }

    /// Points that tenpai gains at an exhaustive draw under these rules.
    pub(super) fn of_tenpai(&self, rules: &Rules) -> f32 {
        self.tenpai * (rules.noten_pool as f32 / self.noten_pool)
    }
}

/// The number that lies between two others by this share.
fn between(low: f32, high: f32, share: f32) -> f32 {
    low + share * (high - low)
}
