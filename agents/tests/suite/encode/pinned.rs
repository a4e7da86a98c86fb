//! Hashes of many encodings, pinned: a silent change of an encoder, or another result on another
//! machine, is an error.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use jantaku_agents::encode::SparseV1;
use jantaku_engine::Rules;
use jantaku_engine::rules::options::OpenRiichi;
use sha2::{Digest as _, Sha256};

use super::laws::Planes;
use super::sparse::encoded;
use super::{events, play};

/// What the games must show, from any seat.
const RARE: [&str; 12] = [
    "melds.chi_again",
    "melds.daiminkan",
    "melds.kakan",
    "melds.ankan",
    "melds.kita",
    "seat.double_riichi",
    "seat.ippatsu",
    "seat.shown_waits",
    "outlook.furiten",
    "river.claimed",
    "decision.replacement",
    "decision.called",
];

/// The rules of the games in turn. One kind has open riichi.
fn rules() -> Vec<Rules> {
    let names = ["tenhou", "mleague", "wrc", "tenhou-sanma", "mjsoul-sanma", "duo"];
    let presets = names.map(|name| Rules::preset(name).expect("a preset"));
    let open = Rules { open_riichi: OpenRiichi::OneHan, ..Rules::default() };
    presets.into_iter().chain([open]).collect()
}

fn hex(hash: Sha256) -> String {
    hash.finalize().iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a String takes everything");
        text
    })
}

/// A change of a hash without one of the games means that trained models read something else.
#[test]
fn encodings_never_change() {
    let [mut sparse, mut planes, mut sequences] = [(); 3].map(|()| Sha256::new());
    let (mut seen, rules, tenhou) = (BTreeSet::new(), rules(), Rules::default());
    // Only the last game has a double riichi.
    for (seed, rules) in (0..70).zip(rules.iter().cycle()).chain([(256, &tenhou)]) {
        play::first_hands(rules, seed, &mut |o, _| {
            let (active, scalars) = encoded(o);
            sparse.update((active.len() as u16).to_le_bytes());
            active.iter().for_each(|feature| sparse.update(feature.to_le_bytes()));
            scalars.iter().for_each(|number| sparse.update(number.to_le_bytes()));
            planes.update(Planes::of(o).0.as_slice());
            let (sequence, _) = events::encoded(o);
            sequences.update((sequence.len() as u16).to_le_bytes());
            sequence.iter().for_each(|token| sequences.update(token.to_le_bytes()));
            seen.extend(active);
        });
    }
    for name in RARE {
        let is_seen = SparseV1::ENCODER.table().features.iter().any(|row| {
            let numbers = row.first..row.first + row.domain.len();
            format!("{}.{}", row.block, row.name) == name && seen.range(numbers).next().is_some()
        });
        assert!(is_seen, "no decision has {name}");
    }
    let expected = [
        "ac0af6e820cdc05c59f0297c714b8e64ad322c4ea92df29a6803552b541ebd4a",
        "4bd71b39fa2f2aca7ad147dfa5a8fa6c246d90da9253aecb9671a6646b2c136e",
        "525475537704271cc94829682d1b1741e3cb03ecbdf9a4164f50ee1758c6b1cc",
    ];
    assert_eq!([sparse, planes, sequences].map(hex), expected);
}
