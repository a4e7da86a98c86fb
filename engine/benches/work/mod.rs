//! What is measured: inputs made from seeds, and functions that work on all of them and return a checksum.
//!
//! - [`hands`]: hands of 14 tiles, dealt or near tenpai
//! - [`wins`]: won hands with melds, quads, red fives and dora
//! - [`games`]: games in play, and recordings
//!
//! The checksums of `times` and `instructions` are stated there. They depend on the seeds and on the rules of the game alone, so a faster
//! way to compute them must find the same; every bit of every result goes into them.

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

/// One player's tiles in the ways in which the engine is asked about them.
pub struct Hand {
    counts: TileCounts,
    packed: Concealed,
    unseen: Unseen,
}

/// The hands of turns, before the draw and with it.
pub struct Mix {
    thirteen: Vec<Hand>,
    fourteen: Vec<Hand>,
    turns: Vec<Turn>,
}

impl Mix {
    /// So many hands of one kind.
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

    /// The waits of 13 tiles.
    pub fn waits(&self) -> u64 {
        self.thirteen.iter().map(|hand| hand.packed.waits(0).bits()).fold(0, u64::wrapping_add)
    }

    /// Shanten of 13 tiles, the kinds that lower it, and how many tiles of them are unseen.
    pub fn ukeire(&self) -> u64 {
        self.thirteen.iter().map(|hand| ukeire(&hand.packed, &hand.unseen)).fold(0, u64::wrapping_add)
    }

    /// The same from counts.
    pub fn ukeire_from_counts(&self) -> u64 {
        let from_counts = |hand: &Hand| {
            let (packed, mut unseen) = (Concealed::from(&hand.counts), Unseen::all_of(TileSet::ALL));
            unseen.see_hand(&packed);
            ukeire(&packed, &unseen)
        };
        self.thirteen.iter().map(from_counts).fold(0, u64::wrapping_add)
    }

    /// The same for each discard from 14 tiles.
    pub fn discards(&self) -> u64 {
        self.fourteen
            .iter()
            .map(|hand| options(&hand.packed.discard_options(0), &hand.unseen))
            .fold(0, u64::wrapping_add)
    }

    /// The same for the discards that leave the least shanten.
    pub fn best_discards(&self) -> u64 {
        self.fourteen
            .iter()
            .map(|hand| options(&hand.packed.best_discards(0), &hand.unseen))
            .fold(0, u64::wrapping_add)
    }

    /// The least shanten that a discard leaves, and which discards leave it.
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

/// Yaku, han, fu and payments of won hands.
pub fn scores(wins: &[WonHand], rules: &Rules) -> u64 {
    let worth = |won: &WonHand| {
        let win = won.win(rules);
        let score = win.score().expect("the hand has won");
        let priced = PricedWin { winner: won.seat(), from: won.from(), score: &score, liable: &[], honba: 0 };
        let paid = settle::payments(&priced, Seat::FIRST, rules);
        let yaku = score.yaku.bits();
        let value = u64::from(score.han()) << 8 ^ u64::from(score.fu) ^ u64::from(score.yakuman) << 16;
        let paid = rules.players.seats().map(|seat| paid[seat] as u64 * (1 + seat.index() as u64));
        value ^ yaku as u64 ^ (yaku >> 64) as u64 ^ paid.fold(0, u64::wrapping_add) << 24
    };
    wins.iter().map(worth).fold(0, u64::wrapping_add)
}

/// Copies of hands in play; their live tiles.
pub fn clones(games: &[Game]) -> u64 {
    games.iter().map(|game| live(&game.round().clone())).sum()
}

/// Hands in play of which what one player does not see is dealt anew; the hidden hands.
pub fn determinized(games: &[Game]) -> u64 {
    let mut rng = Rng::new(1);
    let guess = |game: &Game| {
        let seat = game.pending().iter().next().expect("somebody is asked");
        let guess = game.observe(seat).determinize(&mut rng);
        let hidden = |seat| guess.private(seat).hand().kinds().bits();
        let hidden = game.rules().players.others(seat).map(hidden).fold(0, u64::wrapping_add);
        hidden ^ live(&guess) << 56
    };
    games.iter().map(guess).fold(0, u64::wrapping_add)
}

/// Looks at a whole hand, so that all of it has to be there.
fn live(round: &Round) -> u64 {
    u64::from(std::hint::black_box(round).wall().live())
}

/// Plays recorded games again and compares everything; the decisions.
pub fn replays(games: &[RecordedGame]) -> u64 {
    let replay = |game: &RecordedGame| {
        let report = game.replay(&mut ());
        assert_eq!(report.differences, [], "a recording of our own");
        report.decisions as u64
    };
    games.iter().map(replay).sum()
}
