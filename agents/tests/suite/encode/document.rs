//! `docs/encoders.md` matches the tables.

use std::fs;
use std::path::PathBuf;

use jantaku_agents::encode::reference;

use super::writes;

#[test]
fn the_document_describes_every_channel() {
    let file = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/encoders.md"));
    let text = fs::read_to_string(&file).expect("the document");
    let mark = "encode::reference -->\n";
    let (head, _) = text.split_once(mark).expect("the comment");
    let expected = format!("{head}{mark}\n{}", reference());
    if writes() {
        fs::write(&file, &expected).expect("the document");
    }
    assert!(
        text == expected || writes(),
        "docs/encoders.md does not match the tables; JANTAKU_WRITE=1 updates it"
    );
}
