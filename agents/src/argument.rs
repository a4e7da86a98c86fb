//! How messages name the arguments of a request: as the user of this process writes them.

use std::sync::atomic::{AtomicBool, Ordering};

/// Whether messages name options of the program. If not, they name fields, which are keyword arguments in
/// Python.
static NAMES_OPTIONS: AtomicBool = AtomicBool::new(false);

/// Makes all messages of this process name options, such as `--on-fault`. The program calls this
/// first.
pub fn name_options() {
    NAMES_OPTIONS.store(true, Ordering::Relaxed);
}

fn names_options() -> bool {
    NAMES_OPTIONS.load(Ordering::Relaxed)
}

/// The name of a field: `--on-fault` in the program, elsewhere `` `on_fault` ``.
pub fn field_name(field: &str) -> String {
    if names_options() { format!("--{}", field.replace('_', "-")) } else { format!("`{field}`") }
}

/// A field with its invalid value: `--games x` in the program, elsewhere `` `games`: `x` ``.
pub fn field_value(field: &str, value: &str) -> String {
    let name = field_name(field);
    if names_options() { format!("{name} {value}") } else { format!("{name}: `{value}`") }
}

/// Advice to set a field: `--utility result` in the program, elsewhere `utility="result"`. A flag
/// has an empty `value`: `--resume`, elsewhere `resume=True`.
pub fn argument(field: &str, value: &str) -> String {
    format!("`{}`", written(field, value))
}

/// Advice to call a command with a flag: `jantaku match --resume` in the program, elsewhere
/// `jantaku.match(resume=True)`.
pub fn call(command: &str, flag: &str) -> String {
    let flag = written(flag, "");
    if names_options() {
        format!("`jantaku {command} {flag}`")
    } else {
        format!("`jantaku.{command}({flag})`")
    }
}

fn written(field: &str, value: &str) -> String {
    match (names_options(), value) {
        (true, "") => field_name(field),
        (true, value) => format!("{} {value}", field_name(field)),
        (false, "") => format!("{field}=True"),
        (false, value) => format!("{field}=\"{value}\""),
    }
}
