//! The players of a question.

use jantaku_engine::settle::{Liability, yakuman_fed};
use jantaku_engine::{Rules, Seat, Yaku};

use super::question::{OtherPlayer, Question, Refusal, WinBy, fed_name};
use super::tiles::Tiles;

/// The players of a question. The dealer has the first seat.
pub(super) struct Seats {
    pub(super) winner: Seat,
    /// The discarder. None for a tsumo, and for a ron of more than two players if the question names none.
    pub(super) from: Option<Seat>,
    /// The liable players, in the order of the question.
    pub(super) liable: Vec<Liability>,
}

impl Seats {
    pub(super) fn of(question: &Question, tiles: &Tiles, rules: &Rules) -> Result<Seats, Refusal> {
        let players = rules.players;
        let winner = Seat::new(question.seat as u8).filter(|seat| seat.number() < players.count());
        let winner = winner.ok_or_else(|| Refusal::new("seat", "no such seat under these rules"))?;
        let other = |field, player: OtherPlayer| match player.seat(winner, players) {
            None => Err(Refusal::new(field, "no such seat under these rules")),
            Some(seat) if seat == winner => Err(Refusal::new(field, "this is the winner's own seat")),
            Some(seat) => Ok(seat),
        };
        let named = question.from.map(|player| other("from", player)).transpose()?;
        let from = match (question.by, named) {
            (WinBy::Tsumo, Some(_)) => return Err(Refusal::new("from", "needs a ron")),
            (WinBy::Ron, None) if players.count() == 2 => players.others(winner).next(),
            (_, named) => named,
        };
        let mut liable: Vec<Liability> = Vec::new();
        for pao in &question.pao {
            check_liability(pao.yaku, question, tiles, rules)?;
            if liable.iter().any(|liability| liability.yaku == pao.yaku) {
                return Err(Refusal::new("pao", format!("{} is given twice", fed_name(pao.yaku))));
            }
            liable.push(Liability { seat: other("pao", pao.player)?, yaku: pao.yaku });
        }
        if !liable.is_empty() && question.by == WinBy::Ron && from.is_none() {
            return Err(Refusal::new("from", "missing: name the discarder, who pays with a liable player"));
        }
        Ok(Seats { winner, from, liable })
    }
}

/// Checks that the rules have this liability, and that the melds allow it.
fn check_liability(
    yaku: Option<Yaku>,
    question: &Question,
    tiles: &Tiles,
    rules: &Rules,
) -> Result<(), Refusal> {
    let is_in_rules = yaku.map_or(rules.daiminkan_pao, |yaku| rules.pao.contains(yaku));
    // The melds do not show whether a kan was a pon before.
    let rules = &Rules { pao_by_kan: true, ..*rules };
    let fits = |rules: &Rules| match yaku {
        Some(yaku) => tiles.melds.iter().any(|meld| yakuman_fed(*meld, &tiles.melds, rules).contains(yaku)),
        None => tiles.melds.iter().any(|meld| meld.is_kan() && meld.is_open()),
    };
    let fed = fed_name(yaku);
    let what = match yaku {
        _ if !is_in_rules => format!("these rules have no liability for {fed}"),
        None if !question.rinshan => "liability for daiminkan needs rinshan".to_owned(),
        _ if !tiles.are_whole() || fits(rules) => return Ok(()),
        _ if fits(&Rules { pao_counts_ankan: true, ..*rules }) => {
            format!(
                "the melds show {fed} only with an ankan, which these rules do not count (pao_counts_ankan)"
            )
        }
        _ => format!("the melds of the hand show no {fed}"),
    };
    Err(Refusal::new("pao", what))
}
