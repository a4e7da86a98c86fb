//! What describes a decision in all tables.

use jantaku_engine::{
    Circumstances, Concealed, Moment, Observation, Riichi, Seat, Tile, TileKind, TileSet, Win,
};

/// The columns of [`columns`].
pub const COLUMNS: &str = "game,round,honba,seat,turn,live,dealer,place,lead,lag,last,riichi,open";

/// Columns that describe the game of the decision.
///
/// - `game`, `round`, `honba`, `seat`: where it is
/// - `turn`: 1 before the first discard of the player
/// - `live`: live tiles
/// - `dealer`: whether the player is the dealer
/// - `place`: the placement by points now
/// - `lead`, `lag`: points more than the best, and than the worst, of the others
/// - `last`: whether it is the scheduled last round, or a later one
/// - `riichi`, `open`: others in riichi, and others not in riichi with two open melds or more
pub fn columns(o: &Observation<'_>, game: usize, last_round: u16) -> String {
    let others: Vec<Seat> = o.rules().players.others(o.seat()).collect();
    let own = o.scores()[o.seat()];
    let better = |seat: &&Seat| o.scores()[**seat] > own || o.scores()[**seat] == own && **seat < o.seat();
    let points = others.iter().map(|seat| o.scores()[*seat]);
    let (most, least) = (points.clone().max().unwrap_or(own), points.min().unwrap_or(own));
    let riichi = others.iter().filter(|seat| in_riichi(o, **seat)).count();
    let open = others.iter().filter(|seat| !in_riichi(o, **seat) && open_melds(o, **seat) >= 2).count();
    format!(
        "{game},{},{},{},{},{},{},{},{},{},{},{riichi},{open}",
        o.round(),
        o.honba(),
        o.seat(),
        o.side(o.seat()).discard_count() + 1,
        o.live(),
        u8::from(o.dealer() == o.seat()),
        1 + others.iter().filter(better).count(),
        own - most,
        own - least,
        u8::from(o.round() >= last_round),
    )
}

/// Whether a seat is in riichi.
pub fn in_riichi(o: &Observation<'_>, seat: Seat) -> bool {
    o.side(seat).riichi() != Riichi::None
}

fn open_melds(o: &Observation<'_>, seat: Seat) -> usize {
    o.side(seat).melds().iter().filter(|meld| meld.is_open()).count()
}

/// How many indicators name a kind as dora.
pub fn dora_of(o: &Observation<'_>, kind: TileKind) -> usize {
    o.indicators().iter().filter(|indicator| indicator.kind().dora(false) == kind).count()
}

/// Dora and red fives in the hand, melds included.
pub fn dora(o: &Observation<'_>, hand: &Concealed) -> usize {
    let of_kind = |kind: TileKind| dora_of(o, kind) * (hand.count(kind) + o.melds().count(kind));
    TileKind::all().map(of_kind).sum::<usize>() + usize::from(hand.red_count() + o.melds().reds())
}

/// Honours whose triplet is a yaku for the player.
pub fn valued(o: &Observation<'_>) -> TileSet {
    TileSet::DRAGONS | TileSet::of(o.seat_wind(o.seat()).tile()) | TileSet::of(o.round_wind().tile())
}

/// Whether no player in riichi can win on a kind: they discarded it, or it passed after their
/// riichi.
pub fn is_safe(o: &Observation<'_>, kind: TileKind) -> bool {
    o.rules().players.others(o.seat()).filter(|seat| in_riichi(o, *seat)).all(|seat| {
        let mut since = false;
        o.discards().iter().any(|discard| {
            since |= discard.seat == seat && discard.riichi;
            discard.tile.kind() == kind && (since || discard.seat == seat)
        })
    })
}

/// The class of a tile: `valued` or `wind` for honours, else `19`, `28`, `37` or `456`.
pub fn class(o: &Observation<'_>, kind: TileKind) -> &'static str {
    match kind.rank() {
        _ if valued(o).contains(kind) => "valued",
        _ if kind.is_honour() => "wind",
        1 | 9 => "19",
        2 | 8 => "28",
        3 | 7 => "37",
        _ => "456",
    }
}

/// What a tile belongs to in the hand: `triplet`, `pair`, `joined` to a neighbour, `gapped` with a
/// tile two ranks away, or `alone`.
pub fn role(hand: &Concealed, kind: TileKind) -> &'static str {
    let holds = |steps: i8| kind.offset(steps).is_some_and(|other| hand.count(other) > 0);
    match hand.count(kind) {
        3.. => "triplet",
        2 => "pair",
        _ if holds(1) || holds(-1) => "joined",
        _ if holds(2) || holds(-2) => "gapped",
        _ => "alone",
    }
}

/// Han and points of a ron by another player than the dealer, without ura dora. None without a
/// yaku.
pub fn ron(o: &Observation<'_>, hand: &Concealed, kind: TileKind, riichi: Riichi) -> Option<(u32, u32)> {
    let mut concealed = *hand;
    concealed.add(Tile::plain(kind));
    let win = Win {
        rules: o.rules(),
        concealed,
        melds: o.melds(),
        tile: kind,
        tsumo: false,
        seat_wind: o.seat_wind(o.seat()),
        round_wind: o.round_wind(),
        riichi,
        ippatsu: false,
        moment: Moment::Ordinary,
        first_turn: false,
        indicators: o.indicators(),
        ura_indicators: &[],
        norths: 0,
        circumstances: Circumstances::default(),
    };
    let dealer = if o.dealer() == o.seat() { 6 } else { 4 };
    let score = win.score()?;
    let han = if score.yakuman > 0 { 13 } else { score.han() };
    Some((han, (dealer * score.base).next_multiple_of(100)))
}
