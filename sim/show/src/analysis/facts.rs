//! Checks the facts of a win against each other.

use jantaku_engine::rules::options::{North, OpenRiichi};
use jantaku_engine::{Riichi, Rules, Wind};

use super::question::{Question, Refusal, WinBy};
use super::tiles::Tiles;

/// Whether a contradiction holds, the field to correct, and its error.
type Contradiction = (bool, &'static str, &'static str);

/// Checks that the facts of the win do not contradict each other, the hand or the rules.
pub(super) fn check(question: &Question, tiles: &Tiles, rules: &Rules) -> Result<(), Refusal> {
    match contradictions(question, tiles, rules).into_iter().find(|(holds, ..)| *holds) {
        Some((_, field, what)) => Err(Refusal::new(field, what)),
        None => check_chankan(question, tiles),
    }
}

fn contradictions(q: &Question, tiles: &Tiles, rules: &Rules) -> [Contradiction; 28] {
    let riichi = q.in_riichi();
    let (ron, tsumo) = (q.by == WinBy::Ron, q.by == WinBy::Tsumo);
    let replacement = q.rinshan || q.kita_replacement;
    let ended = replacement || q.after_kan;
    let no_kan = tiles.are_whole() && !tiles.melds.iter().any(|meld| meld.is_kan());
    let for_kita = "the hand has no kan; give `kita_replacement` for the replacement tile of a kita";
    let in_second_turn = q.riichi == Riichi::Double && q.ippatsu;
    let dealer_ron = ron && q.seat == Wind::East;
    let called = !tiles.melds.is_empty();
    let in_first_turn = |wrong: bool, what| (q.first_turn && wrong, "first_turn", what);
    [
        (riichi && tiles.melds.are_open(), "riichi", "the hand is open: riichi needs a closed hand"),
        (q.open_riichi && rules.open_riichi == OpenRiichi::Off, "open_riichi", "these rules have none"),
        (q.open_riichi && !riichi, "open_riichi", "needs riichi"),
        (q.ippatsu && !riichi, "ippatsu", "needs riichi"),
        (q.ippatsu && ended, "ippatsu", "the kan or kita before the last tile ends ippatsu"),
        (q.kita > 0 && rules.north != North::Nukidora, "kita", "these rules have no kita"),
        (q.rinshan && ron, "rinshan", "needs a tsumo"),
        (q.kita_replacement && ron, "kita_replacement", "needs a tsumo"),
        (q.kita_replacement && q.rinshan, "kita_replacement", "a kan and a kita cannot both give the tile"),
        (q.kita_replacement && q.kita == 0, "kita_replacement", "needs a North set aside: give `kita`"),
        (q.rinshan && no_kan && q.kita > 0, "rinshan", for_kita),
        (q.rinshan && no_kan, "rinshan", "the hand has no kan"),
        (q.chankan && !ron, "chankan", "needs a ron"),
        (q.chankan && q.after_kan, "after_kan", "the tile of a kan is not a discard"),
        (q.haitei && replacement, "haitei", "a replacement tile is not the last tile"),
        (q.haitei && q.chankan, "haitei", "no kan is possible with the last tile"),
        (q.haitei && q.first_turn, "haitei", "the first tile is not the last tile"),
        (q.haitei && in_second_turn, "haitei", "ippatsu of a double riichi ends long before the last tile"),
        in_first_turn(called, "needs a hand without melds"),
        in_first_turn(q.kita > 0, "no North is set aside before the first discard"),
        in_first_turn(riichi, "riichi needs a discard before the win"),
        in_first_turn(q.after_kan, "a kan ends the first turn"),
        in_first_turn(dealer_ron, "the dealer discards first and cannot win by ron before that"),
        (q.riichi_tile && tsumo, "riichi_tile", "needs a ron"),
        (q.after_kan && tsumo, "after_kan", "needs a ron"),
        (q.discarder_riichi && tsumo, "discarder_riichi", "needs a ron"),
        (q.riichi_tile && q.chankan, "riichi_tile", "the tile of a kan is not a discard"),
        (q.riichi_tile && q.discarder_riichi, "riichi_tile", "the discarder is already in riichi"),
    ]
}

/// Checks that another player can declare a kan with the winning tile.
fn check_chankan(question: &Question, tiles: &Tiles) -> Result<(), Refusal> {
    let Some(tile) = tiles.last.filter(|_| question.chankan) else { return Ok(()) };
    let (kind, held) = (tile.kind(), tiles.count(tile.kind()));
    if held == 1 {
        return Ok(());
    }
    let what = format!("no other player can declare a kan of {kind}: the hand has {held}");
    Err(Refusal::new("chankan", what))
}
