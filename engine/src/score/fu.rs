//! Fu and their parts.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Moment, Reading, Score, Wait, Win};
use crate::rules::options::OpenPinfu;
use crate::{TileKind, TileSet};

/// A part of the fu of a hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FuPart {
    /// The reason.
    pub reason: FuReason,
    /// The fu.
    pub fu: u8,
}

/// Why a hand gets fu.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum FuReason {
    /// Every win except seven pairs.
    Base,
    /// A ron with a closed hand.
    ClosedRon,
    /// A tsumo.
    Tsumo,
    /// A kanchan, penchan or tanki wait.
    Wait(Wait),
    /// The pair.
    Pair(TileKind),
    /// A triplet or kan.
    Set {
        /// Its kind.
        kind: TileKind,
        /// Whether it is concealed.
        concealed: bool,
        /// Whether it is a kan.
        kan: bool,
    },
    /// An open hand without other fu.
    OpenPinfu,
    /// Seven pairs: 25 in all.
    SevenPairs,
    /// Rounding up to ten.
    Rounding,
}

/// The reason as text, such as `kanchan wait` or `concealed triplet 7z`.
impl fmt::Display for FuReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FuReason::Base => f.write_str("every win"),
            FuReason::ClosedRon => f.write_str("closed ron"),
            FuReason::Tsumo => f.write_str("tsumo"),
            FuReason::Wait(wait) => write!(f, "{wait} wait"),
            FuReason::Pair(kind) => write!(f, "pair of {kind}"),
            FuReason::Set { kind, concealed, kan } => {
                let what = match (concealed, kan) {
                    (true, true) => "ankan",
                    (false, true) => "daiminkan or kakan",
                    (true, false) => "concealed triplet",
                    (false, false) => "open triplet",
                };
                write!(f, "{what} {kind}")
            }
            FuReason::OpenPinfu => f.write_str("open, nothing else"),
            FuReason::SevenPairs => f.write_str("seven pairs"),
            FuReason::Rounding => f.write_str("rounded up"),
        }
    }
}

/// Fu of the win itself, for a reading as four sets and a pair.
pub(super) fn of_win(win: &Win<'_>, closed: bool) -> u8 {
    20 + of_closed_ron(win, closed) + of_tsumo(win)
}

/// The fu of a hand, from the sum of its parts.
pub(super) fn total(sum: u8, pinfu: bool, win: &Win<'_>) -> u8 {
    if pinfu && win.tsumo {
        return 20;
    }
    // The remainder rounds up to ten: no sum exceeds 250.
    if sum == 20 && win.rules.open_pinfu == OpenPinfu::Thirty { 30 } else { sum + (250 - sum) % 10 }
}

/// Fu of a triplet or kan: 2, doubled for yaochuu, doubled if concealed, and times four for a kan.
#[inline]
pub(super) const fn of_set(kind: TileKind, concealed: bool, kan: bool) -> u8 {
    2 << (kind.is_yaochuu() as u8 + concealed as u8 + 2 * kan as u8)
}

/// Fu of several concealed triplets.
#[inline]
pub(super) const fn of_concealed_triplets(kinds: TileSet) -> u8 {
    let yaochuu = kinds.bits() & TileSet::YAOCHUU.bits();
    4 * (kinds.bits().count_ones() + yaochuu.count_ones()) as u8
}

const fn of_closed_ron(win: &Win<'_>, closed: bool) -> u8 {
    10 * (closed & !win.tsumo) as u8
}

fn of_tsumo(win: &Win<'_>) -> u8 {
    let replacement = matches!(win.moment, Moment::Rinshan | Moment::KitaReplacement);
    2 * u8::from(win.tsumo & (!replacement | win.rules.rinshan_tsumo_fu))
}

pub(super) const fn of_wait(wait: Wait) -> u8 {
    match wait {
        Wait::Kanchan | Wait::Penchan | Wait::Tanki => 2,
        Wait::Ryanmen | Wait::Shanpon => 0,
    }
}

/// Fu of a pair. A hand is pinfu only if its pair has none.
pub(super) fn of_pair(pair: TileKind, win: &Win<'_>) -> u8 {
    let (own, round) = (pair == win.seat_wind.tile(), win.rules.round_winds(win.round_wind).contains(pair));
    let fu = 2 * u8::from(own | round | TileSet::DRAGONS.contains(pair));
    if own & round { win.rules.double_wind_pair_fu } else { fu }
}

impl Score {
    /// The parts of the fu, which add up to [`Score::fu`]. Empty if fu do not count.
    pub fn fu_parts(&self, win: &Win<'_>) -> Vec<FuPart> {
        let part = |reason, fu| FuPart { reason, fu };
        if self.fu == 0 {
            return Vec::new();
        }
        let sets = match self.reading {
            Reading::SevenPairs => return vec![part(FuReason::SevenPairs, 25)],
            Reading::ThirteenOrphans => {
                let (reason, fu) = if win.tsumo { (FuReason::Tsumo, 2) } else { (FuReason::ClosedRon, 10) };
                let mut parts = vec![part(FuReason::Base, 20), part(reason, fu)];
                parts.extend(win.tsumo.then(|| part(FuReason::Rounding, 8)));
                return parts;
            }
            Reading::Fixed => return Vec::new(),
            Reading::Standard(sets) => sets,
        };
        let mut parts = vec![part(FuReason::Base, 20)];
        if self.fu == 20 {
            return parts;
        }
        parts.push(part(FuReason::ClosedRon, of_closed_ron(win, self.closed)));
        parts.push(part(FuReason::Tsumo, of_tsumo(win)));
        parts.push(part(FuReason::Wait(sets.wait), of_wait(sets.wait)));
        parts.push(part(FuReason::Pair(sets.pair), of_pair(sets.pair, win)));
        for (triplets, concealed) in [(sets.concealed_triplets, true), (sets.open_triplets, false)] {
            parts.extend(triplets.iter().map(|kind| {
                let kan = sets.kans.contains(kind);
                part(FuReason::Set { kind, concealed, kan }, of_set(kind, concealed, kan))
            }));
        }
        parts.retain(|part| part.fu > 0);
        let sum: u8 = parts.iter().map(|part| part.fu).sum();
        if sum == 20 {
            parts.push(part(FuReason::OpenPinfu, self.fu - sum));
        } else if sum < self.fu {
            parts.push(part(FuReason::Rounding, self.fu - sum));
        }
        parts
    }
}
