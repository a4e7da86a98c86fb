//! Calls: 16-bit codes whose lowest two bits are the discarder, counted from the caller.

use jantaku_engine::replay::seat_of;
use jantaku_engine::{Claimed, Meld, MeldKind, Rules, Seat, Tile, TileKind};

use super::tag::tile;
use crate::logs::Problem;

/// A decoded call, from a tag `N`.
pub(super) struct CodedCall {
    pub(super) kind: CallKind,
    /// The numbers of the tiles that leave the caller's hand.
    pub(super) own: Vec<u32>,
    /// The number of the claimed tile.
    pub(super) claimed: Option<u32>,
}

/// What a call puts on the table.
pub(super) enum CallKind {
    /// A chi, pon, daiminkan or ankan.
    Meld(Meld),
    /// The tile that makes a pon a kakan.
    Kakan(Tile),
    /// A North set aside.
    Kita,
}

impl CodedCall {
    /// Decodes the call `m` of this caller.
    pub(super) fn decode(caller: Seat, m: u32, rules: &Rules) -> Result<CodedCall, Problem> {
        match m {
            0x1_0000.. => Err(Problem::value("m", m, "16 bits")),
            _ if m & 0x4 != 0 => chi(caller, m, rules),
            _ if m & 0x8 != 0 => pon(caller, m, rules),
            _ if m & 0x10 != 0 => {
                let [added, ..] = pon_tiles(m);
                let kind = CallKind::Kakan(tile(added, rules)?);
                Ok(CodedCall { kind, own: vec![added], claimed: None })
            }
            _ if m & 0x20 != 0 => kita(m, rules),
            _ => kan(caller, m, rules),
        }
    }

    /// A meld of the tiles with these numbers. `claimed` is the one from another player.
    fn meld(
        kind: MeldKind,
        caller: Seat,
        m: u32,
        ids: &[u32],
        claimed: Option<u32>,
        rules: &Rules,
    ) -> Result<CodedCall, Problem> {
        let own: Vec<u32> = ids.iter().copied().filter(|id| Some(*id) != claimed).collect();
        let tiles: Vec<Tile> = own.iter().map(|id| tile(*id, rules)).collect::<Result<_, _>>()?;
        let from = || {
            let number = (u32::from(caller.number()) + (m & 3)) % 4;
            let from = seat_of(number, rules.players).ok().filter(|from| *from != caller);
            from.ok_or_else(|| {
                Problem::new(format!("call {m} of player {caller} claims from player {number}"))
            })
        };
        let claim = |id| Ok::<_, Problem>(Claimed { tile: tile(id, rules)?, from: from()? });
        let meld = Meld::of(kind, &tiles, claimed.map(claim).transpose()?)?;
        Ok(CodedCall { kind: CallKind::Meld(meld), own, claimed })
    }
}

fn chi(caller: Seat, m: u32, rules: &Rules) -> Result<CodedCall, Problem> {
    let (sequence, claimed) = ((m >> 10) / 3, ((m >> 10) % 3) as usize);
    let low = sequence / 7 * 9 + sequence % 7;
    let copies = [m >> 3 & 3, m >> 5 & 3, m >> 7 & 3];
    let ids: Vec<u32> = (0..).zip(copies).map(|(step, copy)| 4 * (low + step) + copy).collect();
    CodedCall::meld(MeldKind::Chi, caller, m, &ids, Some(ids[claimed]), rules)
}

fn pon(caller: Seat, m: u32, rules: &Rules) -> Result<CodedCall, Problem> {
    let [_, ids @ ..] = pon_tiles(m);
    let claimed = ((m >> 9) % 3) as usize;
    CodedCall::meld(MeldKind::Pon, caller, m, &ids, Some(ids[claimed]), rules)
}

/// The four copies of a kind: first the one outside the pon, then the three of the pon.
fn pon_tiles(m: u32) -> [u32; 4] {
    let (kind, other) = ((m >> 9) / 3, m >> 5 & 3);
    let mut ids = [0, 1, 2, 3].map(|copy| 4 * kind + copy);
    ids[..=other as usize].rotate_right(1);
    ids
}

fn kita(m: u32, rules: &Rules) -> Result<CodedCall, Problem> {
    let id = m >> 8;
    let (from, set_aside) = (m % 4, tile(id, rules)?);
    if from != 0 || set_aside != Tile::plain(TileKind::NORTH) {
        let found = format!("{m}: {set_aside} of the seat {from} after the caller");
        return Err(Problem::value("m", found, "a kita with the caller's own 4z"));
    }
    Ok(CodedCall { kind: CallKind::Kita, own: vec![id], claimed: None })
}

fn kan(caller: Seat, m: u32, rules: &Rules) -> Result<CodedCall, Problem> {
    let claimed = m >> 8;
    let ids = [0, 1, 2, 3].map(|copy| claimed / 4 * 4 + copy);
    if m.is_multiple_of(4) {
        return CodedCall::meld(MeldKind::Ankan, caller, m, &ids, None, rules);
    }
    CodedCall::meld(MeldKind::Daiminkan, caller, m, &ids, Some(claimed), rules)
}
