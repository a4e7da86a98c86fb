//! Scores of winning hands.

use jantaku_engine::settle::{self, PricedWin};
use jantaku_engine::{Meld, MeldKind, Rules, Seat, Tile};
use riichienv_core::hand_evaluator::HandEvaluator;
use riichienv_core::types::{self, Conditions, MeldType};

use crate::measure::{Row, Work};
use crate::wins::WonHand;

/// Assigns numbers from 0 to 135 to the tiles of a hand: four for each kind, the first for a red
/// five.
struct Numbers {
    /// How many plain tiles of each kind have a number.
    plain: [u8; 34],
}

impl Numbers {
    fn of(&mut self, tile: Tile) -> u8 {
        let kind = tile.kind();
        let first = 4 * kind.index() as u8;
        if tile.is_red() {
            return first;
        }
        let has_red = !kind.is_honour() && kind.rank() == 5;
        let copy = &mut self.plain[kind.index()];
        *copy += 1;
        first + *copy - 1 + u8::from(has_red)
    }
}

/// A winning hand in tile numbers.
pub struct Numbered {
    /// The concealed tiles with the winning tile.
    pub concealed: Vec<u8>,
    pub melds: Vec<(Meld, Vec<u8>)>,
    pub win: u8,
    pub dora: Vec<u8>,
    pub ura: Vec<u8>,
}

impl Numbered {
    pub fn of(won: &WonHand) -> Numbered {
        let mut numbers = Numbers { plain: [0; 34] };
        let tiles: Vec<Tile> = won.concealed.tiles().collect();
        let concealed: Vec<u8> = tiles.iter().map(|tile| numbers.of(*tile)).collect();
        let index = tiles.iter().position(|tile| *tile == won.tile).expect("the winning tile is concealed");
        let melds = won.melds.iter().map(|meld| (*meld, meld.tiles().map(|tile| numbers.of(tile)).collect()));
        let melds = melds.collect();
        let mut all = |tiles: &[Tile]| tiles.iter().map(|tile| numbers.of(*tile)).collect();
        Numbered { win: concealed[index], concealed, melds, dora: all(&won.dora), ura: all(&won.ura) }
    }
}

/// Times yaku, han, fu and payments.
pub fn scores(wins: &[WonHand], rules: &Rules) -> Row {
    let hands: Vec<_> = wins.iter().map(question).collect();
    let theirs = |(evaluator, hand, conditions): &(HandEvaluator, Numbered, Conditions)| {
        evaluator.calc(hand.win, hand.dora.clone(), hand.ura.clone(), Some(conditions.clone()))
    };
    let has_our_points = |(won, question): (&WonHand, &_)| {
        let base = won.win(rules).score().expect("a winning hand").base;
        let result = theirs(question);
        let up = |points: u32| points.div_ceil(100) * 100;
        let dealer = won.wind as u8 == 0;
        match (won.tsumo, dealer) {
            (false, _) => result.ron_agari == up(base * if dealer { 6 } else { 4 }),
            (true, true) => result.tsumo_agari_ko == up(base * 2),
            (true, false) => (result.tsumo_agari_oya, result.tsumo_agari_ko) == (up(base * 2), up(base)),
        }
    };
    let same = wins.iter().zip(&hands).filter(|pair| has_our_points(*pair)).count();
    let contestants: Vec<Work<'_>> = vec![
        (
            "jantaku",
            Box::new(|| {
                wins.iter().fold(0, |sum, won| {
                    let score = won.win(rules).score().expect("a winning hand");
                    let priced = PricedWin {
                        winner: won.seat(),
                        from: won.from(),
                        score: &score,
                        liable: &[],
                        honba: 0,
                    };
                    let paid = settle::payments(&priced, Seat::FIRST, rules)[won.seat()] as u64;
                    let yaku = score.yaku.bits();
                    let value = paid << 32 ^ u64::from(score.han()) << 8 ^ u64::from(score.fu);
                    sum ^ value ^ yaku as u64 ^ (yaku >> 64) as u64
                })
            }),
        ),
        (
            "riichienv-core",
            Box::new(|| {
                hands.iter().fold(0, |sum, question| {
                    let result = theirs(question);
                    let paid = result.ron_agari + result.tsumo_agari_oya + result.tsumo_agari_ko;
                    let yaku: u32 = result.yaku.iter().sum();
                    sum + u64::from(paid) + u64::from(result.han + result.fu + yaku)
                })
            }),
        ),
    ];
    Row::of("score of a won hand", wins.len(), contestants).compared(
        "riichienv-core",
        wins.len() - same,
        wins.len(),
    )
}

/// The input of `riichienv-core`. Making the evaluator is not counted.
fn question(won: &WonHand) -> (HandEvaluator, Numbered, Conditions) {
    let hand = Numbered::of(won);
    let meld = |(meld, tiles): &(Meld, Vec<u8>)| {
        let kind = match meld.kind() {
            MeldKind::Chi => MeldType::Chi,
            MeldKind::Pon => MeldType::Pon,
            MeldKind::Daiminkan | MeldKind::Kakan => MeldType::Daiminkan,
            MeldKind::Ankan => MeldType::Ankan,
        };
        types::Meld::new(kind, tiles.clone(), meld.is_open(), -1, None)
    };
    let evaluator = HandEvaluator::new(hand.concealed.clone(), hand.melds.iter().map(meld).collect());
    let conditions = Conditions {
        tsumo: won.tsumo,
        riichi: won.riichi,
        player_wind: types::Wind::from(won.wind as u8),
        round_wind: types::Wind::from(won.round_wind as u8),
        ..Conditions::default()
    };
    (evaluator, hand, conditions)
}
