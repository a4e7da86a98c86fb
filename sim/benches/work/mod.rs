//! The measured work: inputs from seeds, and functions that process all inputs and return a
//! checksum.
//!
//! - [`hands`]: turns with dealt hands or hands near tenpai
//! - [`wins`]: winning hands with melds, kans, red fives and dora
//! - [`games`]: recorded games and games in play
//!
//! `times` and `instructions` assert the checksums. A checksum covers every bit of every result and
//! depends only on the seeds and the rules, so a faster implementation must return the same.

pub mod games;
pub mod hands;
pub mod wins;

use hands::{Kind, Turn};
use jantaku_engine::replay::RecordedGame;
use jantaku_engine::settle::{self, PricedWin};
use jantaku_engine::{
    Concealed, DiscardOption, DiscardOptions, Game, Rng, Round, Rules, Seat, TileCounts, TileSet, Tracker,
    Unseen,
};
use wins::WonHand;

/// A hand in the representations that the engine takes.
pub struct Hand {
    counts: TileCounts,
    packed: Concealed,
    unseen: Unseen,
}

/// Hands of one kind, before and after the draw.
pub struct Mix {
    thirteen: Vec<Hand>,
    fourteen: Vec<Hand>,
    turns: Vec<Turn>,
}

impl Mix {
    /// `hands` turns of one kind.
    pub fn new(kind: Kind, hands: usize) -> Mix {
        let turns = hands::turns(kind, hands, 1);
        let hand = |counts: TileCounts| {
            let (packed, mut unseen) = (Concealed::from(&counts), Unseen::all_of(TileSet::ALL));
            unseen.see_hand(&packed);
            Hand { counts, packed, unseen }
        };
        Mix {
            thirteen: turns.iter().map(|turn| hand(turn.before)).collect(),
            fourteen: turns.iter().map(|turn| hand(turn.with_draw())).collect(),
            turns,
        }
    }

    /// Shanten of 14 tiles from their counts.
    pub fn shanten_from_counts(&self) -> u64 {
        self.fourteen.iter().map(|hand| Tracker::from(&hand.counts).shanten(0).number() as u64).sum()
    }

    /// Shanten of 14 tiles from the tracker's keys.
    pub fn shanten_from_keys(&self) -> u64 {
        self.fourteen.iter().map(|hand| hand.packed.tracker().shanten(0).number() as u64).sum()
    }

    /// A draw, a discard, and the shanten after both.
    pub fn draw_and_discard(&self) -> u64 {
        let step = |(turn, hand): (&Turn, &Hand)| {
            let mut tracker: Tracker = *hand.packed.tracker();
            tracker.add(turn.drawn);
            tracker.remove(turn.discarded);
            tracker.shanten(0).number() as u64
        };
        self.turns.iter().zip(&self.thirteen).map(step).sum()
    }

    /// Waits of 13 tiles.
    pub fn waits(&self) -> u64 {
        self.thirteen.iter().map(|hand| hand.packed.waits(0).bits()).fold(0, u64::wrapping_add)
    }

    /// Shanten and ukeire of 13 tiles, as kinds and as the number of unseen tiles.
    pub fn ukeire(&self) -> u64 {
        self.thirteen.iter().map(|hand| ukeire(&hand.packed, &hand.unseen)).fold(0, u64::wrapping_add)
    }

    /// [`Mix::ukeire`] from counts.
    pub fn ukeire_from_counts(&self) -> u64 {
        let from_counts = |hand: &Hand| {
            let (packed, mut unseen) = (Concealed::from(&hand.counts), Unseen::all_of(TileSet::ALL));
            unseen.see_hand(&packed);
            ukeire(&packed, &unseen)
        };
        self.thirteen.iter().map(from_counts).fold(0, u64::wrapping_add)
    }

    /// [`Mix::ukeire`] after each discard from 14 tiles.
    pub fn discards(&self) -> u64 {
        self.fourteen
            .iter()
            .map(|hand| options(&hand.packed.discard_options(0), &hand.unseen))
            .fold(0, u64::wrapping_add)
    }

    /// [`Mix::ukeire`] after the discards that leave the lowest shanten.
    pub fn best_discards(&self) -> u64 {
        self.fourteen
            .iter()
            .map(|hand| options(&hand.packed.best_discards(0), &hand.unseen))
            .fold(0, u64::wrapping_add)
    }

    /// The lowest shanten after a discard, and the discards that leave it.
    pub fn least_discards(&self) -> u64 {
        let of_hand = |hand: &Hand| {
            let (shanten, kinds) = hand.packed.least_discards(0);
            checksum(shanten.number(), kinds)
        };
        self.fourteen.iter().map(of_hand).fold(0, u64::wrapping_add)
    }
}

fn options(options: &DiscardOptions, unseen: &Unseen) -> u64 {
    let option = |option: &DiscardOption| {
        let counted = u64::from(unseen.count(option.ukeire)) << 40 | option.kind.index() as u64;
        checksum(option.shanten.number(), option.ukeire).wrapping_add(counted)
    };
    options.as_slice().iter().map(option).fold(0, u64::wrapping_add)
}

fn ukeire(hand: &Concealed, unseen: &Unseen) -> u64 {
    let (shanten, ukeire) = hand.ukeire(0);
    checksum(shanten.number(), ukeire).wrapping_add(u64::from(unseen.count(ukeire)) << 40)
}

fn checksum(shanten: i8, kinds: TileSet) -> u64 {
    kinds.bits() ^ (shanten as u64) << 56
}

/// Yaku, han, fu and payments of winning hands.
pub fn scores(wins: &[WonHand], rules: &Rules) -> u64 {
    let of_hand = |won: &WonHand| {
        let win = won.win(rules);
        let score = win.score().expect("a winning hand");
        let priced = PricedWin { winner: won.seat(), from: won.from(), score: &score, liable: &[], honba: 0 };
        let paid = settle::payments(&priced, Seat::FIRST, rules);
        let yaku = score.yaku.bits();
        let value = u64::from(score.han()) << 8 ^ u64::from(score.fu) ^ u64::from(score.yakuman) << 16;
        let paid = rules.players.seats().map(|seat| paid[seat] as u64 * (1 + seat.index() as u64));
        value ^ yaku as u64 ^ (yaku >> 64) as u64 ^ paid.fold(0, u64::wrapping_add) << 24
    };
    wins.iter().map(of_hand).fold(0, u64::wrapping_add)
}

/// Clones hands in play. The checksum is the sum of their live tiles.
pub fn clones(games: &[Game]) -> u64 {
    games.iter().map(|game| live(&game.round().clone())).sum()
}

/// Deals the tiles hidden from one player again. The checksum covers the new hands.
pub fn determinized(games: &[Game]) -> u64 {
    let mut rng = Rng::new(1);
    let guess = |game: &Game| {
        let seat = game.pending().iter().next().expect("an open decision");
        let guess = game.observe(seat).determinize(&mut rng);
        let hidden = |seat| guess.private(seat).hand().kinds().bits();
        let hidden = game.rules().players.others(seat).map(hidden).fold(0, u64::wrapping_add);
        hidden ^ live(&guess) << 56
    };
    games.iter().map(guess).fold(0, u64::wrapping_add)
}

/// The live tiles. Keeps the compiler from dropping the rest of the hand.
fn live(round: &Round) -> u64 {
    u64::from(std::hint::black_box(round).wall().live())
}

/// Replays recorded games and compares all events. The checksum is the number of decisions.
pub fn replays(games: &[RecordedGame]) -> u64 {
    let replay = |game: &RecordedGame| {
        let report = game.replay(&mut ());
        assert_eq!(report.differences, [], "differences of our own recording");
        report.decisions as u64
    };
    games.iter().map(replay).sum()
}
