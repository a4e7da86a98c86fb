//! Checks that a request to resume a run, match or league does not change its settings.

use std::fmt::Display;
use std::path::Path;

use jantaku_agents::OnFault;
use jantaku_engine::Rules;

use crate::run::choice::NamedRules;
use crate::run::config::ConfigError;

/// A field with its value, and the requested value if there is one.
pub type Field = (&'static str, String, Option<String>);

/// A field whose values have these texts.
pub fn field(name: &'static str, has: impl Display, asked: Option<impl Display>) -> Field {
    (name, has.to_string(), asked.map(|asked| asked.to_string()))
}

/// Checks that the requested values equal those of a run, a match or a league. `kind` says which of
/// them it is.
///
/// # Errors
///
/// If a value differs. The message names the first such field.
pub fn check_unchanged(
    kind: &str,
    folder: Option<&Path>,
    fields: impl IntoIterator<Item = Field>,
) -> Result<(), ConfigError> {
    let place = folder.map_or_else(String::new, |folder| format!(" in {}", folder.display()));
    for (field, has, asked) in fields {
        if let Some(asked) = asked.filter(|asked| *asked != has) {
            let what = format!(
                "the {kind}{place} has {has}, found {asked}; leave it out to resume the {kind} as it is"
            );
            return Err(ConfigError { field, what });
        }
    }
    Ok(())
}

/// The rules, which are the same under any name. A file of the same name may have other rules by now.
pub fn rules_field(name: &str, rules: &Rules, asked: Option<NamedRules>) -> Field {
    let text = |name: &str, rules: &Rules| format!("{name} ({:016x})", rules.hash());
    let asked = asked.map(|asked| text(if asked.rules == *rules { name } else { &asked.name }, &asked.rules));
    field("rules", text(name, rules), asked)
}

/// What happens after a fault. A run that a fault stops may be resumed with another value, because its
/// complete games have no faults.
pub fn on_fault_field(has: Option<OnFault>, asked: Option<OnFault>) -> Field {
    let has = has.unwrap_or_default();
    let asked = asked.filter(|_| has != OnFault::Stop);
    field("on_fault", has.name(), asked.map(OnFault::name))
}
