//! The checked tiles of a question.

use jantaku_engine::{Concealed, Hand, Meld, Melds, Rules, Suit, Tile, TileKind, TileSet, notation};

use super::question::{Question, Refusal};
use crate::text;

/// A kind that lowers the shanten.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct UkeireKind {
    /// The kind.
    pub kind: TileKind,
    /// How many of its tiles are not in the hand, its melds, the Norths set aside or the dora indicators:
    /// 0–4.
    pub left: u32,
}

/// The tiles of a question, checked to be those of one hand under the rules.
pub(super) struct Tiles {
    /// The concealed tiles without the last one.
    pub(super) concealed: Concealed,
    pub(super) melds: Melds,
    /// The tile that wins or has just been drawn.
    pub(super) last: Option<Tile>,
    pub(super) dora: Vec<Tile>,
    pub(super) ura: Vec<Tile>,
    /// The number of Norths set aside.
    kita: u8,
    /// The kinds of the tile set.
    kinds: TileSet,
}

impl Question {
    /// The dora that the indicators show, in hand notation. None without indicators.
    pub fn shown_dora(&self, rules: &Rules) -> Option<String> {
        text::dora(&notation::parse_tiles(&self.dora).ok()?, rules)
    }
}

impl Tiles {
    pub(super) fn of(question: &Question, rules: &Rules) -> Result<Tiles, Refusal> {
        let indicators = |field, text: &str| {
            notation::parse_tiles(text).map_err(|error| Refusal::new(field, error.to_string()))
        };
        let (concealed, melds, last) = hand_and_last(question)?;
        let tiles = Tiles {
            concealed,
            melds,
            last,
            dora: indicators("dora", &question.dora)?,
            ura: indicators("ura", &question.ura)?,
            kita: question.kita,
            kinds: rules.kinds(),
        };
        tiles.check_count(question)?;
        tiles.check_hand(rules)?;
        tiles.check_number_of_indicators(question, rules)?;
        tiles.check_copies("dora", &tiles.dora)?;
        tiles.check_copies("ura", &tiles.ura)?;
        tiles.check_reds(rules)?;
        Ok(tiles)
    }

    /// Checks that there are as many tiles as a hand has, with or without a last tile.
    fn check_count(&self, question: &Question) -> Result<(), Refusal> {
        let melds = 3 * self.melds.len();
        let (before, count) = (self.concealed.len() + melds, self.all().len() + melds);
        let what = match self.last {
            Some(last) if before % 3 != 1 => {
                let (plus, meaning) = match question.win {
                    Some(_) => ("", ""),
                    None => ("+", "; the tile after `+` is the one that wins or has just been drawn"),
                };
                format!(
                    "{before} tiles beside `{plus}{last}`, counting three per meld: expected 13, or three \
                     fewer for each missing meld{meaning}"
                )
            }
            None if count.is_multiple_of(3) => format!(
                "{count} tiles, counting three per meld: expected 13 or 14, or three fewer for each missing meld"
            ),
            _ => return Ok(()),
        };
        Err(Refusal::new("hand", what))
    }

    /// Checks that the rules have the kinds and melds of the hand.
    fn check_hand(&self, rules: &Rules) -> Result<(), Refusal> {
        let norths = self.count(TileKind::NORTH);
        if self.held(TileKind::NORTH) > 4 {
            let what = format!("{} set aside and {norths} in the hand, but there are 4", self.kita);
            return Err(Refusal::new("kita", what));
        }
        let kinds = self.melds.iter().fold(self.all().kinds(), |kinds, meld| kinds | meld.kinds());
        if let Some(kind) = (kinds - self.kinds).first() {
            return Err(Refusal::new("hand", format!("these rules play without {kind}")));
        }
        match self.melds.iter().find(|meld| meld.is_sequence() && !rules.chi) {
            Some(meld) => Err(Refusal::new("hand", format!("found {meld}, but these rules have no chi"))),
            None => Ok(()),
        }
    }

    fn check_number_of_indicators(&self, question: &Question, rules: &Rules) -> Result<(), Refusal> {
        let (dora, ura) = (self.dora.len(), self.ura.len());
        let most = usize::from(rules.max_indicators());
        let at_deal = match rules.start_indicators {
            1 => "one".to_owned(),
            number => number.to_string(),
        };
        if dora > most {
            return Err(Refusal::new(
                "dora",
                match most {
                    0 => "these rules have no dora indicators".to_owned(),
                    _ if most == usize::from(rules.start_indicators) => {
                        format!("{dora} indicators, expected {at_deal}: these rules have no kan dora")
                    }
                    _ => {
                        format!("{dora} indicators, expected at most {most}: {at_deal}, and one for each kan")
                    }
                },
            ));
        }
        let most = rules.ura_count(question.in_riichi(), dora);
        if ura > most {
            return Err(Refusal::new(
                "ura",
                match () {
                    () if !rules.ura => "these rules have no ura dora".to_owned(),
                    () if !question.in_riichi() => "needs riichi".to_owned(),
                    () if !rules.kan_ura => {
                        format!("{ura} indicators, expected {at_deal}: these rules have no kan ura dora")
                    }
                    () => {
                        format!("{ura} indicators, expected at most {most}: one under each dora indicator")
                    }
                },
            ));
        }
        Ok(())
    }

    /// Checks that the rules play with the kinds of the indicators, and that these and the hand have at most
    /// four copies of a kind.
    fn check_copies(&self, field: &'static str, indicators: &[Tile]) -> Result<(), Refusal> {
        for tile in indicators {
            let kind = tile.kind();
            if !self.kinds.contains(kind) {
                return Err(Refusal::new(field, format!("these rules play without {kind}")));
            }
            let shown = self.dora.iter().chain(&self.ura).filter(|other| other.kind() == kind).count();
            let held = self.held(kind);
            if shown + held > 4 {
                let what = format!("{shown} {kind} as indicators and {held} in the hand, but there are 4");
                return Err(Refusal::new(field, what));
            }
        }
        Ok(())
    }

    /// Checks that there are no more red fives than the rules have.
    fn check_reds(&self, rules: &Rules) -> Result<(), Refusal> {
        for (suit, most) in Suit::NUMBERED.into_iter().zip(rules.aka.by_suit()) {
            let red = Tile::red(suit);
            let of_suit = |meld: &&Meld| meld.low().suit() == suit;
            let called: u8 = self.melds.iter().filter(of_suit).map(|meld| meld.reds()).sum();
            let shown = |indicators: &[Tile]| indicators.iter().filter(|tile| **tile == red).count();
            let in_hand = self.all().reds(suit) + usize::from(called);
            let mut found = 0;
            for (field, more) in [("hand", in_hand), ("dora", shown(&self.dora)), ("ura", shown(&self.ura))] {
                found += more;
                if more > 0 && found > usize::from(most) {
                    let what = match most {
                        0 => format!("found {red}, but these rules have no red five of this suit"),
                        _ => format!("found {red} {found} times, but these rules have {most}"),
                    };
                    return Err(Refusal::new(field, what));
                }
            }
        }
        Ok(())
    }

    /// The concealed tiles, including the last one.
    pub(super) fn all(&self) -> Concealed {
        let mut all = self.concealed;
        self.last.iter().for_each(|tile| all.add(*tile));
        all
    }

    /// The number of tiles of a kind in the hand and its melds.
    pub(super) fn count(&self, kind: TileKind) -> usize {
        self.all().count(kind) + self.melds.count(kind)
    }

    /// The number of tiles of a kind in the hand, its melds and the Norths set aside.
    pub(super) fn held(&self, kind: TileKind) -> usize {
        self.count(kind) + if kind == TileKind::NORTH { usize::from(self.kita) } else { 0 }
    }

    /// The number of melds of the hand, including those that the question leaves out.
    pub(super) fn melds_of_all(&self) -> usize {
        4 - self.all().len() / 3
    }

    /// Whether the question has every meld.
    pub(super) fn are_whole(&self) -> bool {
        self.melds_of_all() == self.melds.len()
    }

    /// The kinds of this set that the rules play with, and how many tiles of each are left.
    pub(super) fn ukeire_of(&self, kinds: TileSet) -> Vec<UkeireKind> {
        let left = |kind: TileKind| {
            let shown = self.dora.iter().filter(|tile| tile.kind() == kind).count();
            4_usize.saturating_sub(self.held(kind) + shown) as u32
        };
        (kinds & self.kinds).iter().map(|kind| UkeireKind { kind, left: left(kind) }).collect()
    }
}

/// The concealed tiles without the last one, the melds, and the last tile.
///
/// The last tile stands after `+` in the hand, or in [`Question::win`].
fn hand_and_last(question: &Question) -> Result<(Concealed, Melds, Option<Tile>), Refusal> {
    let read =
        |field, text: &str| text.parse::<Hand>().map_err(|error| Refusal::new(field, error.to_string()));
    let melds = read("melds", &question.melds)?;
    if !melds.concealed().is_empty() || melds.last().is_some() {
        let what =
            format!("found `{}`, expected melds in brackets, such as [123m] or <7777z>", question.melds);
        return Err(Refusal::new("melds", what));
    }
    let (tiles, named) =
        question.hand.split_at(question.hand.find(['+', '＋']).unwrap_or(question.hand.len()));
    let hand = read("hand", &format!("{tiles}{}{named}", question.melds))?;
    let Some(win) = &question.win else { return Ok((*hand.concealed(), *hand.melds(), hand.last())) };
    let tile = match notation::parse_tiles(win).as_deref() {
        Ok([tile]) => *tile,
        _ => win.parse().map_err(|error| Refusal::new("win", format!("{error}")))?,
    };
    if hand.last().is_some() {
        return Err(Refusal::new("win", "`hand` already has a last tile after `+`"));
    }
    let mut concealed = *hand.concealed();
    if concealed.len() % 3 == 2 {
        if !concealed.tiles().any(|held| held == tile) {
            let what = format!("{tile} is not one of the {} concealed tiles of the hand", concealed.len());
            return Err(Refusal::new("win", what));
        }
        concealed.remove(tile);
    } else {
        // Only checks that the hand can have this last tile.
        read("win", &format!("{tiles}{}+{tile}", question.melds))?;
    }
    Ok((concealed, *hand.melds(), Some(tile)))
}
