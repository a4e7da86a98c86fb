//! Calls: sixteen bits, of which the lowest two are the seat called from, counted from the caller.

use jantaku_engine::{Claimed, Meld, MeldKind, Rules, Seat, Tile, TileKind};

use super::{seat, tile};

/// What a tag `N` tells.
pub(super) struct Call {
    pub(super) what: What,
    /// The numbers of the tiles that leave the hand of the caller.
    pub(super) own: Vec<u32>,
    /// The number of the tile that another discarded.
    pub(super) claimed: Option<u32>,
}

pub(super) enum What {
    Meld(Meld),
    Added(Tile),
    North,
}

impl Call {
    /// Decodes a call of this player.
    pub(super) fn of(caller: Seat, m: u32, rules: &Rules) -> Result<Call, String> {
        match m {
            0x1_0000.. => Err(format!("{m} is no call: expected 16 bits")),
            _ if m & 0x4 != 0 => chi(caller, m, rules),
            _ if m & 0x8 != 0 => pon(caller, m, rules),
            _ if m & 0x10 != 0 => {
                let [added, ..] = pon_tiles(m);
                Ok(Call { what: What::Added(tile(added, rules)?), own: vec![added], claimed: None })
            }
            _ if m & 0x20 != 0 => {
                let north = tile(m >> 8, rules)?;
                let (from, is_north) = (m % 4, north == Tile::plain(TileKind::NORTH));
                if from != 0 || !is_north {
                    return Err(format!("{m} sets {north} aside from player {from}, expected the own 4z"));
                }
                Ok(Call { what: What::North, own: vec![m >> 8], claimed: None })
            }
            _ => quad(caller, m, rules),
        }
    }

    /// A meld of these tiles, of which one is claimed.
    fn meld(
        kind: MeldKind,
        caller: Seat,
        m: u32,
        ids: &[u32],
        claimed: Option<u32>,
        rules: &Rules,
    ) -> Result<Call, String> {
        let own: Vec<u32> = ids.iter().copied().filter(|id| Some(*id) != claimed).collect();
        let tiles: Vec<Tile> = own.iter().map(|id| tile(*id, rules)).collect::<Result<_, _>>()?;
        let from = || {
            let number = (u32::from(caller.number()) + (m & 3)) % 4;
            let from = seat(number, rules.players).ok().filter(|from| *from != caller);
            from.ok_or_else(|| format!("{m} calls a tile of player {number}"))
        };
        let claim = |id| Ok::<_, String>(Claimed { tile: tile(id, rules)?, from: from()? });
        let meld =
            Meld::of(kind, &tiles, claimed.map(claim).transpose()?).map_err(|wrong| wrong.to_string())?;
        Ok(Call { what: What::Meld(meld), own, claimed })
    }
}

fn chi(caller: Seat, m: u32, rules: &Rules) -> Result<Call, String> {
    let (run, called) = ((m >> 10) / 3, ((m >> 10) % 3) as usize);
    let low = run / 7 * 9 + run % 7;
    let copies = [m >> 3 & 3, m >> 5 & 3, m >> 7 & 3];
    let ids: Vec<u32> = (0..).zip(copies).map(|(step, copy)| 4 * (low + step) + copy).collect();
    Call::meld(MeldKind::Chi, caller, m, &ids, Some(ids[called]), rules)
}

fn pon(caller: Seat, m: u32, rules: &Rules) -> Result<Call, String> {
    let [_, ids @ ..] = pon_tiles(m);
    let called = ((m >> 9) % 3) as usize;
    Call::meld(MeldKind::Pon, caller, m, &ids, Some(ids[called]), rules)
}

/// The tile that is not in a pon, and those that are.
fn pon_tiles(m: u32) -> [u32; 4] {
    let (kind, other) = ((m >> 9) / 3, m >> 5 & 3);
    let mut ids = [0, 1, 2, 3].map(|copy| 4 * kind + copy);
    ids[..=other as usize].rotate_right(1);
    ids
}

fn quad(caller: Seat, m: u32, rules: &Rules) -> Result<Call, String> {
    let called = m >> 8;
    let ids = [0, 1, 2, 3].map(|copy| called / 4 * 4 + copy);
    if m.is_multiple_of(4) {
        return Call::meld(MeldKind::Ankan, caller, m, &ids, None, rules);
    }
    Call::meld(MeldKind::Daiminkan, caller, m, &ids, Some(called), rules)
}
