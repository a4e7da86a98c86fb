//! The checked tiles of a question.

use jantaku_engine::{Concealed, Hand, Melds, Rules, Tile, TileKind, TileSet, notation};

use super::question::{Question, Refusal};

/// The most dora or ura indicators: the first, and one for each of four kans.
const MOST_INDICATORS: usize = 5;

/// A kind that lowers the shanten.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UkeireKind {
    /// The kind.
    pub kind: TileKind,
    /// How many of its tiles are not in the hand, its melds or the dora indicators: 0–4.
    pub left: u32,
}

/// The tiles of a question, checked to be those of one hand.
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

impl Tiles {
    pub(super) fn of(question: &Question, rules: &Rules) -> Result<Tiles, Refusal> {
        let refuse = |field, what: String| Refusal { field, what };
        let indicators =
            |field, text: &str| notation::parse_tiles(text).map_err(|error| refuse(field, error.to_string()));
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
        let count = tiles.all().len() + 3 * tiles.melds.len();
        if count.is_multiple_of(3) {
            let what = format!(
                "{count} tiles, counting three per meld: expected 13 or 14, or three fewer for each missing meld"
            );
            return Err(refuse("hand", what));
        }
        let norths = tiles.all().count(TileKind::NORTH) + tiles.melds.count(TileKind::NORTH);
        if norths + usize::from(tiles.kita) > 4 {
            let what = format!("{} set aside and {norths} in the hand, but a set has four", tiles.kita);
            return Err(refuse("kita", what));
        }
        tiles.check_indicators("dora", &tiles.dora)?;
        tiles.check_indicators("ura", &tiles.ura)?;
        let has_kan = tiles.kita > 0 || tiles.melds.iter().any(|meld| meld.is_kan());
        if question.rinshan && tiles.are_whole() && !has_kan {
            return Err(refuse("rinshan", "the hand has no kan".to_owned()));
        }
        if let Some(tile) = tiles.last.filter(|_| question.chankan) {
            let held = tiles.all().count(tile.kind()) + tiles.melds.count(tile.kind());
            if held > 1 {
                let what =
                    format!("no other player can declare a kan of {}: the hand has {held}", tile.kind());
                return Err(refuse("chankan", what));
            }
        }
        let all_kinds = tiles.melds.iter().fold(tiles.all().kinds(), |kinds, meld| kinds | meld.kinds());
        match (all_kinds - tiles.kinds).first() {
            Some(kind) => Err(refuse("hand", format!("these rules play without {kind}"))),
            None => Ok(tiles),
        }
    }

    /// Checks that the indicators and the hand are tiles of one set.
    fn check_indicators(&self, field: &'static str, indicators: &[Tile]) -> Result<(), Refusal> {
        let refuse = |what| Err(Refusal { field, what });
        if indicators.len() > MOST_INDICATORS {
            let found = indicators.len();
            return refuse(format!(
                "{found} indicators, expected at most {MOST_INDICATORS}: one, and one for each kan"
            ));
        }
        let is_kind = |tile: &&Tile, kind| tile.kind() == kind;
        for tile in indicators {
            let kind = tile.kind();
            if !self.kinds.contains(kind) {
                return refuse(format!("these rules play without {kind}"));
            }
            let shown = self.dora.iter().chain(&self.ura).filter(|other| is_kind(other, kind)).count();
            let held = self.all().count(kind) + self.melds.count(kind);
            if shown + held > 4 {
                return refuse(format!(
                    "{shown} {kind} as indicators and {held} in the hand, but a set has four"
                ));
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
        let all = self.all();
        let left = |kind: TileKind| {
            let shown = self.dora.iter().filter(|tile| tile.kind() == kind).count();
            let aside = if kind == TileKind::NORTH { usize::from(self.kita) } else { 0 };
            4_usize.saturating_sub(all.count(kind) + self.melds.count(kind) + shown + aside) as u32
        };
        (kinds & self.kinds).iter().map(|kind| UkeireKind { kind, left: left(kind) }).collect()
    }
}

/// The concealed tiles without the last one, the melds, and the last tile.
///
/// The last tile stands after `+` in the hand, or in [`Question::win`].
fn hand_and_last(question: &Question) -> Result<(Concealed, Melds, Option<Tile>), Refusal> {
    let refuse = |field, what: String| Refusal { field, what };
    let read = |field, text: &str| text.parse::<Hand>().map_err(|error| refuse(field, error.to_string()));
    let melds = read("melds", &question.melds)?;
    if !melds.concealed().is_empty() || melds.last().is_some() {
        let what =
            format!("found `{}`, expected melds in brackets, such as [123m] or <7777z>", question.melds);
        return Err(refuse("melds", what));
    }
    let (tiles, named) = question.hand.split_at(question.hand.find('+').unwrap_or(question.hand.len()));
    let hand = read("hand", &format!("{tiles}{}{named}", question.melds))?;
    let Some(win) = &question.win else { return Ok((*hand.concealed(), *hand.melds(), hand.last())) };
    let tile: Tile = win.parse().map_err(|error| refuse("win", format!("{error}")))?;
    if hand.last().is_some() {
        return Err(refuse("win", "`hand` already has a last tile after `+`".to_owned()));
    }
    let mut concealed = *hand.concealed();
    if concealed.len() % 3 == 2 {
        if !concealed.tiles().any(|held| held == tile) {
            let what = format!("{tile} is not one of the {} concealed tiles of the hand", concealed.len());
            return Err(refuse("win", what));
        }
        concealed.remove(tile);
    } else {
        read("win", &format!("{tiles}{}+{tile}", question.melds))?;
    }
    Ok((concealed, *hand.melds(), Some(tile)))
}
