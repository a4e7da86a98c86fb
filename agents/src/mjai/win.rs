//! A win as a log states it.

use jantaku_engine::replay::{Problem, RecordedHand, RecordedWin, seat_of};
use jantaku_engine::{Event, Players, Seat, Tile, TileKind, Yaku};

use super::event::Hora;
use super::parts::{check_tiles, points, tile};
use super::yaku::{self, YAKUMAN};

/// Reads a win that ends this hand.
pub(super) fn read(hora: &Hora, hand: &RecordedHand, players: Players) -> Result<RecordedWin, Problem> {
    let winner = seat_of(hora.actor, players)?;
    let from = Some(seat_of(hora.target, players)?).filter(|from| *from != winner);
    let winning_tile = hora.pai.map(tile).transpose()?;
    if let Some(stated) = &hora.hora_tehais {
        check_tiles("hora_tehais", stated, hand, winner, winning_tile)?;
    }
    let is_yakuman = hora.fan.is_some_and(|fan| fan >= YAKUMAN);
    if let Some(fan) = hora.fan.filter(|fan| is_yakuman && fan % YAKUMAN != 0) {
        return Err(Problem::value("fan", fan, "less than 100, or 100 for each yakuman"));
    }
    // Without a list of yaku, 13 han or more may stand for a yakuman.
    let states_han_and_fu = !is_yakuman && (hora.yakus.is_some() || hora.fan.is_none_or(|fan| fan < 13));
    let fu = |fu| u8::try_from(rounded(fu)).map_err(|_| Problem::value("fu", fu, "at most 255"));
    let fu = hora.fu.map(fu).transpose()?;
    let dragons = || dragons(hand, winner, winning_tile.filter(|_| from.is_some()));
    let listed = hora.yakus.as_ref().map(|listed| yaku::read(listed, &dragons())).transpose()?;
    let (yaku, dora) = listed.filter(|_| !is_yakuman).unzip();
    Ok(RecordedWin {
        winner,
        from,
        tile: winning_tile,
        han: hora.fan.map(|han| if is_yakuman { 0 } else { han }).filter(|_| is_yakuman || states_han_and_fu),
        dora,
        yaku,
        fu: fu.filter(|_| states_han_and_fu),
        points: hora.hora_points,
        limit: None,
        base: None,
        liable: None,
        deltas: hora.deltas.as_ref().map(|deltas| points("deltas", deltas, players)).transpose()?,
    })
}

/// Fu rounded up to ten, except the 25 of seven pairs.
const fn rounded(fu: u32) -> u32 {
    if fu == 25 { fu } else { fu.saturating_add(9) / 10 * 10 }
}

/// The yaku of the winner's dragon triplets and kans. `claimed` is the tile of a ron.
fn dragons(hand: &RecordedHand, winner: Seat, claimed: Option<Tile>) -> Vec<Yaku> {
    let held = hand.held(winner).unwrap_or_default();
    let has = |dragon: TileKind| {
        let melded = hand.events.iter().any(|event| {
            matches!(event, Event::Call { seat, meld } | Event::Ankan { seat, meld }
                if *seat == winner && meld.low() == dragon)
        });
        melded || held.iter().chain(&claimed).filter(|tile| tile.kind() == dragon).count() >= 3
    };
    let yaku = [(TileKind::WHITE, Yaku::Haku), (TileKind::GREEN, Yaku::Hatsu), (TileKind::RED, Yaku::Chun)];
    yaku.into_iter().filter(|(dragon, _)| has(*dragon)).map(|(_, yaku)| yaku).collect()
}
