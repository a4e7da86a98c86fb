//! The yaku of a win as a log lists them.

use jantaku_engine::Yaku;
use jantaku_engine::replay::{Problem, RecordedWin};

/// The name of the dragon yaku, whose han are added up.
const SANGENPAI: &str = "sangenpai";

/// The names of the dora: by indicators and Norths, ura dora, red fives.
const DORA: [&str; 3] = ["dora", "uradora", "akadora"];

/// The han that the format gives a yakuman.
pub(super) const YAKUMAN: u32 = 100;

/// The name of a yaku. Yaku without a name in mjai have Jantaku's.
fn name(yaku: Yaku) -> &'static str {
    yaku.names().mjai.unwrap_or_else(|| yaku.name())
}

/// The yaku in order with their han, and the dora han in the order of [`RecordedWin::dora`].
type Listed = (Vec<(Yaku, u8)>, [u8; 3]);

/// Reads the list of a win with triplets of these dragons.
pub(super) fn read(listed: &[(String, u32)], dragons: &[Yaku]) -> Result<Listed, Problem> {
    let (mut yaku, mut dora) = (Vec::new(), [0; 3]);
    for (stated, han) in listed {
        let han = u8::try_from(*han).unwrap_or(u8::MAX);
        if let Some(at) = DORA.iter().position(|name| name == stated) {
            dora[at] = u8::saturating_add(dora[at], han);
        } else if stated == SANGENPAI {
            if usize::from(han) != dragons.len() {
                let found = format!("{han} han of {SANGENPAI}");
                return Err(Problem::value("yakus", found, dragons.len()));
            }
            yaku.extend(dragons.iter().map(|dragon| (*dragon, 1)));
        } else {
            let found = Yaku::all().find(|yaku| name(*yaku) == stated);
            let unknown = || Problem::value("yakus", format!("`{stated}`"), "the name of a yaku");
            yaku.push((found.ok_or_else(unknown)?, han));
        }
    }
    yaku.sort_unstable();
    Ok((yaku, dora))
}

/// Lists the yaku of a win with their han, dragons together and 100 for a yakuman, then the dora.
pub(super) fn listed(win: &RecordedWin) -> Option<Vec<(String, u32)>> {
    let mut listed: Vec<(String, u32)> = Vec::new();
    for (yaku, han) in win.yaku.as_ref()? {
        let han = if yaku.is_yakuman() { YAKUMAN } else { u32::from(*han) };
        match listed.iter_mut().find(|(other, _)| other == SANGENPAI && name(*yaku) == SANGENPAI) {
            Some((_, dragons)) => *dragons += han,
            None => listed.push((name(*yaku).to_owned(), han)),
        }
    }
    let dora = DORA.into_iter().zip(win.dora.into_iter().flatten());
    listed.extend(dora.filter(|(_, han)| *han > 0).map(|(name, han)| (name.to_owned(), u32::from(han))));
    Some(listed)
}
