//! Analyses a hand.

use jantaku_engine::{Concealed, Rules, Shanten, Tile, TileSet};

use super::facts;
use super::question::{Question, Refusal, WinBy};
use super::seats::Seats;
use super::tiles::{Tiles, UkeireKind};
use super::value::{NoScore, Won, value};

/// The analysis of a hand.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The shanten of all tiles, including the last one.
    pub shanten: ShantenByShape,
    /// The ukeire of the hand without its last tile. Empty for 14 tiles without a last tile.
    pub ukeire: Vec<UkeireKind>,
    /// Whether the hand is tenpai without its last tile, so that `ukeire` are its waits.
    pub is_tenpai: bool,
    /// The discards, best first. Empty for 13 tiles, and for a win by ron.
    pub discards: Vec<DiscardChoice>,
    /// The win, or why a complete hand does not win. None if the hand is not complete, unless a local yaku
    /// lets it win.
    pub won: Option<Result<Won, NoScore>>,
}

/// The shanten for each shape of a complete hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
pub struct ShantenByShape {
    /// Four sets and a pair.
    pub standard: Shanten,
    /// Seven pairs. None for a hand with melds.
    pub seven_pairs: Option<Shanten>,
    /// Thirteen orphans. None for a hand with melds.
    pub thirteen_orphans: Option<Shanten>,
    /// The lowest of them.
    pub best: Shanten,
}

/// A discard and the hand after it.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct DiscardChoice {
    /// The tile. A red five only if there is no plain one.
    pub tile: Tile,
    /// The shanten after the discard.
    pub shanten: Shanten,
    /// The kinds that lower the shanten and have tiles left.
    pub ukeire: Vec<UkeireKind>,
}

impl DiscardChoice {
    /// The number of tiles that lower the shanten.
    pub fn count(&self) -> u32 {
        self.ukeire.iter().map(|kind| kind.left).sum()
    }
}

/// Analyses a hand under these rules. The caller looks up [`Question::rules`].
///
/// ```
/// use jantaku_engine::{Rules, Yaku};
/// use jantaku_show::analysis::{Question, analyse};
///
/// let hand = analyse(&Question::new("34m567m345p678s55s+2m"), &Rules::default())?;
/// let won = hand.score().expect("pinfu and tanyao");
/// assert_eq!(won.yaku, [(Yaku::Pinfu, 1), (Yaku::Tanyao, 1)]);
/// assert_eq!(won.hand.points, 2000);
/// # Ok::<(), jantaku_show::analysis::Refusal>(())
/// ```
///
/// # Errors
///
/// If the tiles are not a hand, or the facts of the win contradict each other or the rules.
pub fn analyse(question: &Question, rules: &Rules) -> Result<Analysis, Refusal> {
    let tiles = Tiles::of(question, rules)?;
    facts::check(question, &tiles, rules)?;
    let seats = Seats::of(question, &tiles, rules)?;
    facts::check_turns(question, &seats)?;
    let all = tiles.all();
    let sets = tiles.melds_of_all();
    let has_no_melds = sets == 0;
    let shanten = ShantenByShape {
        standard: all.tracker().standard_shanten(sets),
        seven_pairs: has_no_melds.then(|| all.seven_pairs_shanten()),
        thirteen_orphans: has_no_melds.then(|| all.thirteen_orphans_shanten()),
        best: all.shanten(sets),
    };
    let (before, ukeire) = match tiles.concealed.len() % 3 {
        1 => tiles.concealed.ukeire(sets),
        _ => (shanten.best, TileSet::EMPTY),
    };
    let complete = shanten.best == Shanten::COMPLETE;
    let won = match (tiles.are_whole(), tiles.last) {
        (true, Some(last)) => Some(value(question, &tiles, last, &seats, rules)),
        (true, None) => complete.then_some(Err(NoScore::LastTileMissing)),
        (false, _) => complete.then_some(Err(NoScore::MeldsMissing)),
    };
    // A local yaku may win without the shape of a complete hand.
    let won = won.filter(|won| complete || won.is_ok());
    let is_ron = complete && tiles.last.is_some() && tiles.are_whole() && question.by == WinBy::Ron;
    let may_discard = all.len() % 3 == 2 && !is_ron;
    Ok(Analysis {
        shanten,
        ukeire: tiles.ukeire_of(ukeire),
        is_tenpai: before == Shanten::TENPAI && !ukeire.is_empty(),
        discards: if may_discard { discards(&all, sets, &tiles) } else { Vec::new() },
        won,
    })
}

impl Analysis {
    /// The value of the hand if it wins.
    pub fn score(&self) -> Option<&Won> {
        self.won.as_ref()?.as_ref().ok()
    }
}

/// The discards: lowest shanten first, then most tiles, then in order of kind.
fn discards(hand: &Concealed, sets: usize, tiles: &Tiles) -> Vec<DiscardChoice> {
    let options = hand.discard_options(sets);
    let mut discards: Vec<DiscardChoice> = options
        .as_slice()
        .iter()
        .map(|option| {
            let mut ukeire = tiles.ukeire_of(option.ukeire);
            ukeire.retain(|kind| kind.left > 0);
            DiscardChoice { tile: hand.clone().remove_any(option.kind), shanten: option.shanten, ukeire }
        })
        .collect();
    discards.sort_by_key(|discard| (discard.shanten, std::cmp::Reverse(discard.count())));
    discards
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(hand: &str) -> Analysis {
        analyse(&Question::new(hand), &Rules::default()).unwrap_or_else(|e| panic!("{hand}: {e}"))
    }

    fn names(ukeire: &[UkeireKind]) -> String {
        ukeire.iter().map(|u| format!("{}×{}", u.kind, u.left)).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn thirteen_tiles_have_ukeire_and_no_discards() {
        let hand = of("123m456p789s1122z");
        assert_eq!((hand.shanten.best, hand.is_tenpai), (Shanten::TENPAI, true));
        assert_eq!(names(&hand.ukeire), "1z×2 2z×2");
        assert!(hand.discards.is_empty() && hand.won.is_none());
        let far = of("147m258p369s1234z");
        assert_eq!((far.is_tenpai, far.shanten.best.number()), (false, 6), "seven pairs");
    }

    #[test]
    fn discards_are_sorted_best_first() {
        let hand = of("23m456m345p678s9s1z+2z");
        let counts = hand.discards.iter().map(|d| (d.shanten, std::cmp::Reverse(d.count())));
        assert!(counts.is_sorted() && hand.discards.len() == 14);
        assert_eq!(names(&hand.discards[0].ukeire), "1m×4 4m×3 7m×4 6s×3 9s×3 2z×3");
        assert!(of("23m99s678s[123p][345s]+4m").discards.is_empty(), "a ron needs no discard");
    }

    /// Waits include kinds with no tile left. Ukeire after a discard do not.
    #[test]
    fn own_tiles_and_indicators_are_not_left() {
        let question = Question { dora: "4m4m4m".to_owned(), ..Question::new("23m456m345p678s99s") };
        let hand = analyse(&question, &Rules::default()).expect("a hand");
        assert_eq!(names(&hand.ukeire), "1m×4 4m×0 7m×4");
        let hand = of("23m11p[1111m][444s][555s]+9p");
        let tsumogiri = hand.discards.iter().find(|discard| discard.tile.to_string() == "9p").expect("9p");
        assert_eq!(names(&tsumogiri.ukeire), "4m×4");
    }

    /// Only the score depends on which tile wins.
    #[test]
    fn complete_tiles_without_a_winning_one_have_shanten_and_discards() {
        for text in ["123m456p789s11122z", "22p88s[222m] [222s] 999s 2p"] {
            let hand = of(text);
            assert_eq!(hand.shanten.best, Shanten::COMPLETE, "{text}");
            assert!(matches!(hand.won, Some(Err(NoScore::LastTileMissing))), "{text}");
            assert_eq!(hand.discards[0].shanten, Shanten::TENPAI, "{text}");
        }
    }

    #[test]
    fn missing_melds_count_for_shanten_alone() {
        let hand = of("2345p");
        assert_eq!(names(&hand.ukeire), "2p×3 5p×3");
        let complete = of("234p5p+5p");
        assert_eq!(
            (complete.shanten.best, complete.won.as_ref().map(Result::is_ok)),
            (Shanten::COMPLETE, Some(false))
        );
        assert_eq!(complete.shanten.seven_pairs, None);
    }
}
