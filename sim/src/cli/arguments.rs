//! Arguments that several commands take.

use std::ops::RangeInclusive;
use std::path::Path;

use anyhow::Context as _;
use jantaku_engine::rules::Preset;
use jantaku_engine::{Rules, shortened};
use jantaku_sim::run::check_is_new;

/// Loads the rules of a preset or file.
pub(super) fn load_rules(name: &str) -> anyhow::Result<Rules> {
    Ok(Rules::from_toml(&rule_text(name)?, name)?)
}

/// The text of a preset or rule file.
pub(super) fn rule_text(name: &str) -> anyhow::Result<String> {
    if let Some(preset) = Preset::named(name) {
        return Ok(preset.toml.to_owned());
    }
    if !Path::new(name).exists() {
        let name = shortened(name);
        anyhow::bail!("unknown rules `{name}`: no file, and no preset, {}", Preset::known(&name));
    }
    let bytes = std::fs::read(name).with_context(|| format!("{name}: cannot read"))?;
    String::from_utf8(bytes).map_err(|error| {
        let (at, bytes) = (error.utf8_error().valid_up_to(), error.as_bytes());
        let line = String::from_utf8_lossy(&bytes[..at]).matches('\n').count() + 1;
        let byte = bytes[at];
        anyhow::anyhow!(
            "{name}:{line}: expected UTF-8, found the byte 0x{byte:02x} at {at}: save the file as UTF-8"
        )
    })
}

/// Parses a whole number in this range.
pub(super) fn number<N: TryFrom<u64>>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<N, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        let number = number.and_then(|number| N::try_from(number).ok());
        number.ok_or_else(|| format!("expected a whole number from {} to {}", range.start(), range.end()))
    }
}

/// Checks that an output folder does not exist yet or is empty.
pub(super) fn check_is_free(folder: &Path) -> anyhow::Result<()> {
    let show = folder.display();
    if folder.to_string_lossy().contains("://") {
        anyhow::bail!("{show}: is a URL, which only `selfplay` writes to; choose a folder");
    }
    check_is_new(folder).map_err(|error| anyhow::anyhow!("{show}: {error}"))
}
