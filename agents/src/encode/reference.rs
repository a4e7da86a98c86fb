//! The documentation of all encoders, `agents/docs/encoders.md`.

use std::fmt::Write as _;

use super::channel::{Channel, EncoderId};
use super::{Domain, Encoder, EncoderTable, Features, OracleV1, Scalar};

/// The part of `agents/docs/encoders.md` that is generated from the tables.
pub fn reference() -> String {
    let mut text = String::new();
    for encoder in Encoder::ALL {
        let table = encoder.table();
        if table.features.is_empty() {
            section(&mut text, encoder.id(), table.channels);
        } else {
            sparse(&mut text, encoder.id(), &table);
        }
        text += "\n";
    }
    section(&mut text, OracleV1::id(), OracleV1::channels());
    text
}

/// Adds the tables of an encoder of features.
fn sparse(text: &mut String, id: &EncoderId, table: &EncoderTable) {
    let EncoderId { name, channels, hash, .. } = id;
    *text += &format!("## {name}\n\n{channels} features, table hash `{hash}`.\n\n");
    *text += "| features | view | of each | first | since | active if |\n|---|---|---|---|---|---|\n";
    for Features { block, name, view, domain, first, meaning, since } in table.features {
        let domain = match domain {
            Domain::Kinds => "kind".to_owned(),
            Domain::Actions => "action".to_owned(),
            Domain::Numbers(1) => "–".to_owned(),
            Domain::Numbers(count) => format!("number below {count}"),
        };
        *text += &format!("| `{block}.{name}` | {view} | {domain} | {first} | {since} | {meaning} |\n");
    }
    *text += "\n| scalar | view | 1.0 | since | meaning |\n|---|---|---|---|---|\n";
    for Scalar { name, view, unit, meaning, since } in table.scalars {
        *text += &format!("| `{name}` | {view} | {unit} | {since} | {meaning} |\n");
    }
}

/// Adds the table of an encoder of planes. Channels that differ only in their view share a row.
fn section(text: &mut String, id: &EncoderId, channels: &[Channel]) {
    let EncoderId { name, channels: count, hash, .. } = id;
    write!(text, "## {name}\n\n{count} channels, table hash `{hash}`.\n").expect("a String takes everything");
    let mut last = "";
    for (first, channel) in channels.iter().enumerate() {
        if channel.group != last {
            last = channel.group;
            let views: Vec<&str> = views(channels, channel);
            write!(text, "\n### {last}\n\nViews: {}. From channel {first} on.\n\n{HEAD}", views.join(", "))
                .expect("a String takes everything");
        }
        let is_first_view = channels[..first].iter().all(|other| !is_same_row(other, channel));
        if is_first_view {
            *text += &line(channel);
        }
    }
}

const HEAD: &str = "| channel | unit | most | 1.0 | since | meaning |\n|---|---|---|---|---|---|\n";

fn line(channel: &Channel) -> String {
    let Channel { group, name, unit, most, one, since, meaning, .. } = channel;
    format!("| `{group}.{name}` | {unit} | {most} | {one} | {since} | {meaning} |\n")
}

fn is_same_row(a: &Channel, b: &Channel) -> bool {
    a.group == b.group && a.name == b.name
}

/// The views that have a row like this channel.
fn views(channels: &[Channel], channel: &Channel) -> Vec<&'static str> {
    channels.iter().filter(|other| is_same_row(other, channel)).map(|other| other.view.name()).collect()
}
