//! The keys of the events in all dialects.
//!
//! `agents/docs/agents.md` says which program sends which key.

use jantaku_engine::shortened;

/// The keys that the events of a type may have.
pub(super) struct Keys {
    /// The keys without which a player cannot follow the game.
    pub needed: &'static [&'static str],
    /// The optional keys that a player uses.
    pub used: &'static [&'static str],
    /// Keys for logs, and keys that repeat what other events state.
    pub other: &'static [&'static str],
}

/// The keys that any event may have: its type, and hints to bots and comments, which are ignored.
const HINTS: [&str; 10] = [
    "type",
    "can_act",
    "legal",
    "possible_actions",
    "cannot_dahai",
    "log",
    "logs",
    "meta",
    "game_meta",
    "text",
];

/// What logs state about a win. The ura indicators have three names.
const HORA: &[&str] = &[
    "pai",
    "ura_markers",
    "uradora_markers",
    "uradora_marker",
    "hora_tehais",
    "yakus",
    "fu",
    "fan",
    "hora_points",
];

impl Keys {
    /// The keys of the events of this type. None for an unknown type.
    pub fn of(kind: &str) -> Option<Keys> {
        let (needed, used, other): (&[&str], &[&str], &[&str]) = match kind {
            "start_game" => (
                &[],
                &["id", "rules", "gametype", "aka_flag", "kyoku_first"],
                &["names", "num_players", "uri", "seed", "first_kyoku"],
            ),
            "start_kyoku" => (
                &["bakaze", "kyoku", "honba", "oya", "tehais"],
                &["dora_marker", "kyotaku", "kyoutaku", "scores"],
                &["num_players", "haiyama"],
            ),
            "tsumo" => (&["actor", "pai"], &[], &[]),
            "dahai" => (&["actor", "pai", "tsumogiri"], &[], &[]),
            "chi" | "pon" | "daiminkan" => (&["actor", "target", "pai", "consumed"], &[], &[]),
            "ankan" => (&["actor", "consumed"], &[], &[]),
            "kakan" => (&["actor", "pai"], &["consumed"], &[]),
            "kita" | "nukidora" => (&["actor"], &["pai"], &[]),
            "dora" => (&["dora_marker"], &[], &[]),
            "reach" => (&["actor"], &[], &["pai"]),
            "reach_accepted" => (&["actor"], &[], &["deltas", "scores"]),
            "hora" => (&["actor", "target"], &["deltas", "scores"], HORA),
            "ryukyoku" => (&[], &["reason", "deltas", "scores"], &["actor", "tenpais", "tehais"]),
            "end_game" => (&[], &[], &["scores"]),
            "hello" => (&[], &[], &["protocol", "protocol_version"]),
            "error" => (&[], &[], &["message", "error", "reason"]),
            "end_kyoku" | "none" => (&[], &[], &[]),
            _ => return None,
        };
        Some(Keys { needed, used, other })
    }

    /// A note for each unknown key among those of an event of this type. Empty if the type is unknown.
    pub fn notes<'a>(kind: &str, keys: impl IntoIterator<Item = &'a String>) -> Vec<String> {
        let Some(known) = Keys::of(kind) else { return Vec::new() };
        let lists = [known.needed, known.used, known.other, &HINTS];
        let unknown = keys.into_iter().filter(|key| !lists.iter().any(|list| list.contains(&key.as_str())));
        unknown.map(|key| format!("ignored the unknown key `{}` of `{kind}`", shortened(key))).collect()
    }
}
