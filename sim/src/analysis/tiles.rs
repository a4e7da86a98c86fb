//! The tiles of a question.

use jantaku_engine::{Concealed, Hand, Melds, Rules, Tile, TileKind, TileSet, notation};

use super::{Refusal, Request, Useful};

/// Indicators of a kind: the first, and one for each of four quads.
const MOST_INDICATORS: usize = 5;

/// The tiles that a question names, proved to be those of a hand.
pub(super) struct Tiles {
    /// Concealed, without the last one.
    pub(super) concealed: Concealed,
    pub(super) melds: Melds,
    /// The one that wins or has just been drawn.
    pub(super) last: Option<Tile>,
    pub(super) dora: Vec<Tile>,
    pub(super) ura: Vec<Tile>,
    /// Norths that are set aside.
    norths: u8,
    /// The kinds that are played with.
    kinds: TileSet,
}

impl Tiles {
    pub(super) fn of(request: &Request, rules: &Rules) -> Result<Tiles, Refusal> {
        let refuse = |field, what: String| Refusal { field, what };
        let indicators =
            |field, text: &str| notation::parse_tiles(text).map_err(|error| refuse(field, error.to_string()));
        let (concealed, melds, last) = hand_and_last(request)?;
        let tiles = Tiles {
            concealed,
            melds,
            last,
            dora: indicators("dora", &request.dora)?,
            ura: indicators("ura", &request.ura)?,
            norths: request.norths,
            kinds: rules.kinds(),
        };
        let count = tiles.all().len() + 3 * tiles.melds.len();
        if count.is_multiple_of(3) {
            let what = format!(
                "{count} tiles, counting three a meld: expected 13 or 14, or three fewer for each meld that is not written"
            );
            return Err(refuse("hand", what));
        }
        let norths = tiles.all().count(TileKind::NORTH) + tiles.melds.count(TileKind::NORTH);
        if norths + usize::from(tiles.norths) > 4 {
            let what = format!("{} set aside, and {norths} in the hand: there are four", tiles.norths);
            return Err(refuse("norths", what));
        }
        tiles.check_indicators("dora", &tiles.dora)?;
        tiles.check_indicators("ura", &tiles.ura)?;
        let has_kan = tiles.norths > 0 || tiles.melds.iter().any(|meld| meld.is_kan());
        if request.rinshan && tiles.are_whole() && !has_kan {
            return Err(refuse("rinshan", "the hand has no quad".to_owned()));
        }
        if let Some(tile) = tiles.last.filter(|_| request.chankan) {
            let held = tiles.all().count(tile.kind()) + tiles.melds.count(tile.kind());
            if held > 1 {
                let what = format!("nobody can make a quad of {}: the hand holds {held}", tile.kind());
                return Err(refuse("chankan", what));
            }
        }
        let all_kinds = tiles.melds.iter().fold(tiles.all().kinds(), |kinds, meld| kinds | meld.kinds());
        match (all_kinds - tiles.kinds).first() {
            Some(kind) => Err(refuse("hand", format!("{kind} is not played with under these rules"))),
            None => Ok(tiles),
        }
    }

    /// Whether these can be the indicators of a deal in which the hand has its tiles.
    fn check_indicators(&self, field: &'static str, indicators: &[Tile]) -> Result<(), Refusal> {
        let refuse = |what| Err(Refusal { field, what });
        if indicators.len() > MOST_INDICATORS {
            let found = indicators.len();
            return refuse(format!("{found} indicators: there is one, and one more for each quad"));
        }
        let is_kind = |tile: &&Tile, kind| tile.kind() == kind;
        for tile in indicators {
            let kind = tile.kind();
            if !self.kinds.contains(kind) {
                return refuse(format!("{kind} is not played with under these rules"));
            }
            let shown = self.dora.iter().chain(&self.ura).filter(|other| is_kind(other, kind)).count();
            let held = self.all().count(kind) + self.melds.count(kind);
            if shown + held > 4 {
                return refuse(format!(
                    "{shown} {kind} as indicators, and {held} in the hand: there are four"
                ));
            }
        }
        Ok(())
    }

    /// The concealed tiles with the last one.
    pub(super) fn all(&self) -> Concealed {
        let mut all = self.concealed;
        self.last.iter().for_each(|tile| all.add(*tile));
        all
    }

    /// How many melds stand beside the concealed tiles, whether they are written or not.
    pub(super) fn melds_of_all(&self) -> usize {
        4 - self.all().len() / 3
    }

    /// Whether every meld is written.
    pub(super) fn are_whole(&self) -> bool {
        self.melds_of_all() == self.melds.len()
    }

    /// These kinds, as far as they are played with, and how many tiles of each are neither in the hand nor indicators.
    pub(super) fn useful(&self, kinds: TileSet) -> Vec<Useful> {
        let all = self.all();
        let left = |kind: TileKind| {
            let shown = self.dora.iter().filter(|tile| tile.kind() == kind).count();
            let aside = if kind == TileKind::NORTH { usize::from(self.norths) } else { 0 };
            4_usize.saturating_sub(all.count(kind) + self.melds.count(kind) + shown + aside) as u32
        };
        (kinds & self.kinds).iter().map(|kind| Useful { kind, left: left(kind) }).collect()
    }
}

/// The concealed tiles without the last one, the melds, and the last tile, which the hand names after `+`, or [`Request::win`].
fn hand_and_last(request: &Request) -> Result<(Concealed, Melds, Option<Tile>), Refusal> {
    let refuse = |field, what: String| Refusal { field, what };
    let read = |field, text: &str| text.parse::<Hand>().map_err(|error| refuse(field, error.to_string()));
    let melds = read("melds", &request.melds)?;
    if !melds.concealed().is_empty() || melds.last().is_some() {
        let what = format!("`{}`: expected melds in brackets, such as [123m] or <7777z>", request.melds);
        return Err(refuse("melds", what));
    }
    let (tiles, named) = request.hand.split_at(request.hand.find('+').unwrap_or(request.hand.len()));
    let hand = read("hand", &format!("{tiles}{}{named}", request.melds))?;
    let Some(win) = &request.win else { return Ok((*hand.concealed(), *hand.melds(), hand.last())) };
    let tile: Tile = win.parse().map_err(|error| refuse("win", format!("{error}")))?;
    if hand.last().is_some() {
        return Err(refuse("win", "the hand names its last tile after `+` already".to_owned()));
    }
    let mut concealed = *hand.concealed();
    if concealed.len() % 3 == 2 {
        if !concealed.tiles().any(|held| held == tile) {
            let what = format!("{tile} is not among the {} concealed tiles of the hand", concealed.len());
            return Err(refuse("win", what));
        }
        concealed.remove(tile);
    } else {
        read("win", &format!("{tiles}{}+{tile}", request.melds))?;
    }
    Ok((concealed, *hand.melds(), Some(tile)))
}
