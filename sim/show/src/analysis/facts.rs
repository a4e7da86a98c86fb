//! Checks the facts of a win against each other.

use jantaku_engine::rules::options::{
    AnkanRob, KanDoraTiming, North, OpenRiichi, RiichiAnkan, SuukaikanAt, TempFuritenTrigger,
};
use jantaku_engine::{Riichi, Rules, Seat, Shanten, Wind};

use super::question::{Question, Refusal, WinBy};
use super::seats::Seats;
use super::tiles::Tiles;

/// Whether a contradiction holds, the field to correct, and its error.
type Contradiction = (bool, &'static str, &'static str);

/// Checks that the facts of the win do not contradict each other, the hand or the rules.
pub(super) fn check(question: &Question, tiles: &Tiles, rules: &Rules) -> Result<(), Refusal> {
    match contradictions(question, tiles, rules).into_iter().find(|(holds, ..)| *holds) {
        Some((_, field, what)) => Err(Refusal::new(field, what)),
        None => check_four_kans(question, tiles, rules).and_then(|()| check_chankan(question, tiles)),
    }
}

/// Checks that the discarder has had the turns that the facts imply: a player who comes after the winner has
/// had one turn fewer.
pub(super) fn check_turns(question: &Question, seats: &Seats) -> Result<(), Refusal> {
    let is_ron = question.by == WinBy::Ron;
    // An unknown discarder surely comes after the winner if the winner is the dealer.
    let is_later = is_ron && seats.from.map_or(seats.winner == Seat::FIRST, |from| from > seats.winner);
    let (field, what) = match () {
        () if is_later && question.first_turn => ("first_turn", "the discarder comes after the winner"),
        () if is_later && question.discarder_riichi && in_second_turn(question) => {
            ("discarder_riichi", "the discarder comes after the winner, and this is their first discard")
        }
        () => return Ok(()),
    };
    Err(Refusal::new(field, what))
}

/// Whether the win is in the go-around after a riichi in the first one, without a call or kan.
fn in_second_turn(question: &Question) -> bool {
    question.riichi == Riichi::Double && question.ippatsu
}

fn contradictions(q: &Question, tiles: &Tiles, rules: &Rules) -> [Contradiction; 43] {
    let riichi = q.in_riichi();
    let (ron, tsumo) = (q.by == WinBy::Ron, q.by == WinBy::Tsumo);
    let replacement = q.rinshan || q.kita_replacement;
    let ippatsu_ended = replacement || q.after_kan;
    let no_kan = tiles.are_whole() && !tiles.melds.iter().any(|meld| meld.is_kan());
    let for_kita = "the hand has no kan; give `kita_replacement` for the replacement tile of a kita";
    let (double, in_second_turn) = (q.riichi == Riichi::Double, in_second_turn(q));
    let dealer_ron = ron && q.seat == Wind::East;
    let kan_forbidden = rules.riichi_ankan == RiichiAnkan::Forbidden;
    let no_kan_in_riichi = "these rules have no kan in riichi";
    let is_kakan = q.chankan && !robs_ankan(tiles, rules);
    // The pon came after the double riichi. Passing its tile made the hand furiten if the shape alone does,
    // or if the two han would have won.
    let passed = rules.temp_furiten_trigger == TempFuritenTrigger::Shape || rules.han_needed(q.honba) <= 2;
    // The fewest live tiles with which riichi is declared, and the draws up to the last turn of ippatsu.
    let (live, draws) = (rules.riichi_min_live, rules.players.count() - u8::from(ron));
    let called = !tiles.melds.is_empty();
    let (own_kans, kans) = (own_kans(tiles), kans(q, tiles, rules));
    let in_first_turn = |wrong: bool, what| (q.first_turn && wrong, "first_turn", what);
    [
        (riichi && tiles.melds.are_open(), "riichi", "the hand is open: riichi needs a closed hand"),
        (q.open_riichi && rules.open_riichi == OpenRiichi::Off, "open_riichi", "these rules have none"),
        (q.open_riichi && !riichi, "open_riichi", "needs riichi"),
        (q.ippatsu && !riichi, "ippatsu", "needs riichi"),
        (q.ippatsu && ippatsu_ended, "ippatsu", "the kan or kita before the last tile ends ippatsu"),
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
        (q.haitei && q.ippatsu && live > draws, "haitei", "no riichi is declared so late under these rules"),
        (q.haitei && q.riichi_tile && live > 0, "haitei", "no riichi is declared so late under these rules"),
        (q.rinshan && riichi && kan_forbidden, "rinshan", no_kan_in_riichi),
        (double && called && kan_forbidden, "riichi", no_kan_in_riichi),
        (q.after_kan && q.discarder_riichi && kan_forbidden, "after_kan", no_kan_in_riichi),
        (in_second_turn && kans > 0, "ippatsu", "the kan ends the double riichi or its ippatsu"),
        (in_second_turn && q.kita > 0, "ippatsu", "the kita ends the double riichi or its ippatsu"),
        (is_kakan && double && passed, "chankan", "double riichi passed the tile of the pon and is furiten"),
        (is_kakan && q.discarder_riichi, "chankan", "a player in riichi has no pon for a kakan"),
        (q.chankan && q.discarder_riichi && kan_forbidden, "chankan", no_kan_in_riichi),
        in_first_turn(called, "needs a hand without melds"),
        in_first_turn(is_kakan, "the pon before a kakan ends the first turn"),
        in_first_turn(q.discarder_riichi, "the discarder in riichi is in their second turn"),
        in_first_turn(q.kita > 0, "no North is set aside before the first discard"),
        in_first_turn(riichi, "riichi needs a discard before the win"),
        in_first_turn(kans > 0, "a kan ends the first turn"),
        in_first_turn(dealer_ron, "the dealer discards first and cannot win by ron before that"),
        (q.riichi_tile && tsumo, "riichi_tile", "needs a ron"),
        (q.after_kan && tsumo, "after_kan", "needs a ron"),
        (q.after_kan && own_kans == 4, "after_kan", "the winner has all four kans of the hand"),
        (q.chankan && kans == 4, "chankan", "a hand has no fifth kan"),
        (kans > 4, "dora", "the indicator of the last kan is turned after its replacement tile"),
        (q.discarder_riichi && tsumo, "discarder_riichi", "needs a ron"),
        (q.riichi_tile && q.chankan, "riichi_tile", "the tile of a kan is not a discard"),
        (q.riichi_tile && q.discarder_riichi, "riichi_tile", "the discarder is already in riichi"),
    ]
}

/// The number of the winner's kans.
fn own_kans(tiles: &Tiles) -> usize {
    tiles.melds.iter().filter(|meld| meld.is_kan()).count()
}

/// The least number of kans that the facts imply: those of the winner and the discarder, or those that
/// the indicators show if they are more.
fn kans(q: &Question, tiles: &Tiles, rules: &Rules) -> usize {
    let shown = tiles.dora.len().saturating_sub(rules.start_indicators.into());
    // The replacement tile of an open kan comes before its indicator.
    let is_owed = q.rinshan
        && rules.kan_dora.minkan != KanDoraTiming::Immediate
        && tiles.are_whole()
        && tiles.melds.iter().filter(|meld| meld.is_kan()).all(|meld| meld.is_open());
    (shown + usize::from(is_owed)).max(own_kans(tiles) + usize::from(q.after_kan))
}

/// Checks that four kans by several players do not end the hand before the win.
fn check_four_kans(q: &Question, tiles: &Tiles, rules: &Rules) -> Result<(), Refusal> {
    let is_win = tiles.last.is_some()
        && tiles.all().shanten(tiles.melds.len()) == Shanten::COMPLETE
        && tiles.are_whole();
    let by_several = kans(q, tiles, rules) == 4 && (1..4).contains(&own_kans(tiles));
    // A kita may come between the kan and the discard, or be robbed.
    let with_kita = q.kita_replacement || q.by == WinBy::Ron && rules.north == North::Nukidora;
    let what = match rules.suukaikan_at {
        _ if !(is_win && by_several && rules.suukaikan) => return Ok(()),
        SuukaikanAt::AfterDiscard if q.rinshan || q.after_kan || with_kita => return Ok(()),
        SuukaikanAt::AfterDiscard => {
            "the discard after the fourth kan ends the hand: needs `rinshan` or `after_kan`"
        }
        SuukaikanAt::AtKan => "the fourth kan ends the hand",
    };
    Err(Refusal::new(if q.after_kan { "after_kan" } else { "dora" }, what))
}

/// Whether the winner may rob an ankan: only thirteen orphans may, under some rules.
fn robs_ankan(tiles: &Tiles, rules: &Rules) -> bool {
    rules.ankan_rob == AnkanRob::KokushiOnly
        && tiles.melds.is_empty()
        && tiles.all().thirteen_orphans_shanten() == Shanten::COMPLETE
}

/// Checks that another player can declare a kan with the winning tile.
fn check_chankan(question: &Question, tiles: &Tiles) -> Result<(), Refusal> {
    let Some(tile) = tiles.last.filter(|_| question.chankan) else { return Ok(()) };
    let (kind, held) = (tile.kind(), tiles.held(tile.kind()));
    let shown = tiles.dora.iter().chain(&tiles.ura).filter(|tile| tile.kind() == kind).count();
    let reason = match (held, shown) {
        (1, 0) => return Ok(()),
        (1, shown) => format!("{shown} of them are indicators"),
        (held, _) => format!("the hand has {held}"),
    };
    Err(Refusal::new("chankan", format!("no other player can declare a kan of {kind}: {reason}")))
}
