//! Compares scores with vectors of other programs, from their tests and from recorded games.
//!
//! - `kobalab`: majiang-core, 5,000 wins with payments and the author's unit tests
//! - `python_mahjong`: the unit tests of the Python package `mahjong`
//! - `riichienv`: wins of Mahjong Soul with four and three players, and hands that are not tenpai
//! - `others`: a few hands of mahjax, and 65,000 hands with a yakuman or not by mahjong-cpp
//!
//! A test fails if a vector differs and is not in [`EXCEPTIONS`] with the reason and our answer.

mod exceptions;
mod kobalab;
mod others;
mod python_mahjong;
mod riichienv;

use std::collections::BTreeSet;

use exceptions::EXCEPTIONS;
use jantaku_engine::settle::{self, Liability, PricedWin};
use jantaku_engine::{
    Circumstances, Concealed, Melds, Moment, Riichi, Rules, Score, Seat, Suit, Tile, TileKind, Win, Wind,
    Yaku,
};

use crate::common::{number, numbers, reference_lines};

/// A winning hand of a vector. Seats are winds: the dealer is seat 0.
pub(crate) struct Case {
    pub rules: Rules,
    /// The concealed tiles with the winning tile.
    pub concealed: Concealed,
    pub melds: Melds,
    pub tile: TileKind,
    /// The discarder. None for a tsumo.
    pub from: Option<Seat>,
    pub seat: Wind,
    pub round: Wind,
    pub riichi: Riichi,
    pub ippatsu: bool,
    pub moment: Moment,
    pub first_turn: bool,
    pub dora: Vec<Tile>,
    pub ura: Vec<Tile>,
    pub norths: u8,
    pub honba: i32,
    pub sticks: i32,
    pub liable: Vec<Liability>,
}

/// The compared parts of a score. Parts that a vector omits are copied from our answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Answer {
    pub yaku: BTreeSet<String>,
    /// Han with dora. 0 for a yakuman.
    pub han: u32,
    /// Fu. 0 for a yakuman.
    pub fu: u8,
    pub yakuman: u8,
    /// The payment to each seat, from East. Negative for who pays.
    pub paid: Vec<i32>,
}

impl Case {
    /// A ron of South from East in East 1.
    pub fn new(rules: &Rules, concealed: Concealed, melds: Melds, tile: TileKind) -> Case {
        Case {
            rules: *rules,
            concealed,
            melds,
            tile,
            from: Some(Seat::FIRST),
            seat: Wind::South,
            round: Wind::East,
            riichi: Riichi::None,
            ippatsu: false,
            moment: Moment::Ordinary,
            first_turn: false,
            dora: Vec::new(),
            ura: Vec::new(),
            norths: 0,
            honba: 0,
            sticks: 0,
            liable: Vec::new(),
        }
    }

    pub fn win(&self) -> Win<'_> {
        Win {
            rules: &self.rules,
            concealed: self.concealed,
            melds: &self.melds,
            tile: self.tile,
            tsumo: self.from.is_none(),
            seat_wind: self.seat,
            round_wind: self.round,
            riichi: self.riichi,
            ippatsu: self.ippatsu,
            moment: self.moment,
            first_turn: self.first_turn,
            indicators: &self.dora,
            ura_indicators: &self.ura,
            norths: self.norths,
            circumstances: Circumstances::default(),
        }
    }

    /// Our answer. None if the hand does not win.
    pub fn answer(&self) -> Option<Answer> {
        let win = self.win();
        let score = win.score();
        assert_eq!(win.base_points(), score.map(|score| score.base), "{win:?}");
        let score = score?;
        let parts: u8 = score.fu_parts(&win).iter().map(|part| part.fu).sum();
        assert_eq!(parts, score.fu, "{win:?}");
        let yakuman = score.yakuman;
        Some(Answer {
            yaku: score.yaku.iter().map(|yaku| yaku.name().to_owned()).collect(),
            han: score.han(),
            fu: if yakuman == 0 { score.fu } else { 0 },
            yakuman,
            paid: self.paid(&score),
        })
    }

    fn paid(&self, score: &Score) -> Vec<i32> {
        let winner = Seat::new(self.seat as u8).expect("a wind has a seat");
        let win = PricedWin { winner, from: self.from, score, liable: &self.liable, honba: self.honba };
        let mut paid = settle::payments(&win, Seat::FIRST, &self.rules);
        paid[winner] += 1000 * self.sticks;
        paid.iter().copied().collect()
    }
}

/// The comparison with the vectors of one source.
pub(crate) struct Source {
    name: &'static str,
    compared: usize,
    needed: BTreeSet<&'static str>,
    differences: Vec<String>,
}

impl Source {
    pub fn new(name: &'static str) -> Source {
        Source { name, compared: 0, needed: BTreeSet::new(), differences: Vec::new() }
    }

    /// Compares our answer with that of a vector.
    pub fn check(&mut self, vector: &str, ours: Option<&Answer>, theirs: Option<&Answer>) {
        self.compared += 1;
        let exception = EXCEPTIONS.iter().find(|e| e.source == self.name && vector.contains(e.vector));
        let expected = exception.map_or_else(|| text(theirs), |exception| exception.ours.to_owned());
        if text(ours) != expected {
            let (ours, theirs) = (text(ours), text(theirs));
            self.differences.push(format!("{vector}\n  ours   {ours}\n  theirs {theirs}"));
        }
        if let Some(exception) = exception {
            assert_ne!(ours, theirs, "{} {vector} agrees: remove it from EXCEPTIONS", self.name);
            self.needed.insert(exception.vector);
        }
    }

    /// Fails if a vector differed or an exception was not needed.
    pub fn end(self) {
        assert!(self.differences.is_empty(), "{}:\n{}", self.name, self.differences.join("\n"));
        let listed: BTreeSet<&str> =
            EXCEPTIONS.iter().filter(|e| e.source == self.name).map(|e| e.vector).collect();
        assert_eq!(self.needed, listed, "{}: needed exceptions, listed exceptions", self.name);
        println!("{}: {} vectors, {} exceptions", self.name, self.compared, self.needed.len());
    }
}

/// An answer as text.
fn text(answer: Option<&Answer>) -> String {
    let Some(answer) = answer else { return "no win".to_owned() };
    let yaku = answer.yaku.iter().map(String::as_str).collect::<Vec<_>>().join(" ");
    let value = match answer.yakuman {
        0 => format!("{} han {} fu", answer.han, answer.fu),
        n => format!("{n} yakuman"),
    };
    format!("{yaku}: {value}, {}", answer.paid.iter().map(i32::to_string).collect::<Vec<_>>().join(" "))
}

#[test]
fn exceptions_have_few_reasons() {
    let reasons: BTreeSet<&str> = EXCEPTIONS.iter().map(|exception| exception.reason).collect();
    assert!(reasons.len() <= 20, "{reasons:?}");
}

/// The yaku with this name or number in a column of `tests/scores/yaku.csv`.
pub(crate) fn yaku_of(program: &str, name: &str) -> Option<Yaku> {
    let mut rows = include_str!("../../scores/yaku.csv").lines().map(|row| row.split(','));
    let column = rows.next()?.position(|head| head == program).expect("a column");
    let own = rows.find(|row| row.clone().nth(column) == Some(name))?.next();
    Yaku::all().find(|yaku| Some(yaku.name()) == own)
}

/// The tile with this number from 0 to 135, which most programs assign in the same way.
pub(crate) fn tile_136(id: usize) -> Tile {
    match id {
        16 => Tile::red(Suit::Characters),
        52 => Tile::red(Suit::Dots),
        88 => Tile::red(Suit::Bamboo),
        _ => Tile::plain(TileKind::from_index(id / 4)),
    }
}

pub(crate) fn wind(number: i64) -> Wind {
    Wind::ALL[usize::try_from(number).expect("a wind")]
}
