//! Mahjong Soul's numbers of yaku, limits and draws.

use jantaku_engine::{DrawReason, Limit, Yaku};

use crate::logs::tenhou::names::NUMBERED_LIMITS;

/// The kind of the bonus han with this number: 0 dora and Norths, 1 ura dora, 2 red fives. None for yaku.
pub(super) const fn bonus_of_number(number: u32) -> Option<usize> {
    match number {
        31 | 34 => Some(0),
        33 => Some(1),
        32 => Some(2),
        _ => None,
    }
}

/// The yaku with this number. `is_yakuman` decides between the two values of renhou, which share a number.
pub(super) fn yaku_of_number(number: u32, is_yakuman: bool) -> Option<Yaku> {
    let known = Yaku::all().filter(|yaku| yaku.names().mahjong_soul == Some(number));
    known.max_by_key(|yaku| yaku.is_yakuman() == is_yakuman)
}

/// The limit with this number. None for a yakuman or an unknown number.
pub(super) fn limit_of_number(number: u32) -> Option<Limit> {
    // A yakuman has a field of its own.
    NUMBERED_LIMITS.into_iter().nth(number as usize).filter(|limit| *limit != Limit::Yakuman)
}

/// The abortive draws in the order of their numbers, from 1.
const DRAWS: [DrawReason; 5] = {
    use DrawReason::{FourKans, FourRiichi, FourWinds, KyuushuKyuuhai, TripleRon};
    [KyuushuKyuuhai, FourWinds, FourKans, FourRiichi, TripleRon]
};

/// The abortive draw with this number.
pub(super) fn draw_of_number(number: u32) -> Option<DrawReason> {
    DRAWS.into_iter().nth(number.checked_sub(1)? as usize)
}
