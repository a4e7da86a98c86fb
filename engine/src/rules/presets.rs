//! The presets: rule sets that the crate ships as TOML files.
//!
//! # Why
//!
//! **Why do presets state only what differs from `tenhou`?** Each field's default is Tenhou's
//! value, stated in one place with its meaning. `jantaku rules show` prints any preset in full.

use std::sync::LazyLock;

use super::Rules;
use crate::Known;

/// A preset.
#[derive(Debug)]
pub struct Preset {
    /// Its name, for `base` and for the command line.
    pub name: &'static str,
    /// The text of its TOML file.
    pub toml: &'static str,
}

/// Defines [`PRESETS`] from the names of the files.
macro_rules! presets {
    ($($name:literal)+) => {
        /// All presets.
        pub static PRESETS: &[Preset] = &[
            $(Preset { name: $name, toml: include_str!(concat!("../../presets/", $name, ".toml")) },)+
        ];
    };
}

presets! {
    "tenhou"
    "tenhou-tonpuu"
    "tenhou-noaka"
    "tenhou-nashi"
    "mjsoul"
    "mjsoul-tonpuu"
    "mleague"
    "wrc"
    "wrc-2022"
    "wrc-2015"
    "jpml-a"
    "jpml-a-2017"
    "jpml-wrc"
    "ron2"
    "rmu-a"
    "rmu-b"
    "rmu-m"
    "saikouisen"
    "saikouisen-classic"
    "mu"
    "kyokai"
    "saikyosen"
    "ema-2025"
    "ema-2016"
    "ema-2012"
    "ema-2008"
    "dragon-kong"
    "dragon-kong-express"
    "dragon-kong-3"
    "dragon-kong-2"
    "saki"
    "club-common"
    "club-simple"
    "guide"
    "riichi-city"
    "majiang-default"
    "majiang-classic"
    "tenhou-sanma"
    "mjsoul-sanma"
    "duo"
}

impl Preset {
    /// Finds a preset by name.
    pub fn named(name: &str) -> Option<&'static Preset> {
        PRESETS.iter().find(|preset| preset.name == name)
    }

    /// The known presets, for an error text about an unknown one.
    pub fn known(name: &str) -> Known {
        // `3p` and `3ma` are other words for `sanma`.
        let name = ["3p", "3ma"].iter().fold(name.to_lowercase(), |name, three| name.replace(three, "sanma"));
        Known::new(&name, PRESETS.iter().map(|preset| preset.name))
    }

    /// The rules of the preset.
    ///
    /// # Panics
    ///
    /// Never: a test reads every preset.
    pub fn rules(&self) -> Rules {
        Rules::from_toml(self.toml, self.name).expect("the presets of the crate are valid")
    }

    /// Whose rules they are: the first line of the file.
    pub fn title(&self) -> &'static str {
        self.toml.lines().next().unwrap_or("").trim_start_matches(['#', ' '])
    }

    /// Where the rules are published: the second line of the file.
    pub fn source(&self) -> &'static str {
        let line = self.toml.lines().nth(1).unwrap_or("");
        line.strip_prefix("# Source: ").unwrap_or("").trim_end_matches('.')
    }

    /// The preset that this one builds on.
    pub fn base(&self) -> Option<&'static str> {
        self.toml.lines().find_map(|line| line.strip_prefix("base = \"")?.strip_suffix('"'))
    }
}

/// The fields of every preset, by name.
static TABLES: LazyLock<Vec<(&str, toml::Table)>> =
    LazyLock::new(|| PRESETS.iter().map(|preset| (preset.name, preset.rules().to_table())).collect());

impl Rules {
    /// A TOML text for [`Rules::from_toml`]: the closest preset as `base`, then the fields that
    /// differ.
    ///
    /// ```
    /// use jantaku_engine::Rules;
    ///
    /// let rules = Rules { kuitan: false, ..Rules::preset("mleague").expect("a preset") };
    /// assert_eq!(rules.to_toml(), "base = \"mleague\"\nkuitan = false\n");
    /// ```
    pub fn to_toml(&self) -> String {
        let fields = self.to_table();
        let differing = |preset: &toml::Table| -> Vec<String> {
            // A file whose number of players differs from that of its base must set `noten_pool`.
            let changes_players = preset.get("players") != fields.get("players");
            let differs = |(name, value): &(&String, &toml::Value)| {
                preset.get(*name) != Some(value) || changes_players && *name == "noten_pool"
            };
            fields.iter().filter(differs).map(|(name, value)| format!("{name} = {value}\n")).collect()
        };
        let texts = TABLES.iter().map(|(name, preset)| (name, differing(preset)));
        let nearest = texts.min_by_key(|(_, differing)| differing.len());
        nearest.map_or_else(String::new, |(name, differing)| {
            format!("base = \"{name}\"\n{}", differing.concat())
        })
    }

    /// The rules of the preset with this name.
    ///
    /// ```
    /// use jantaku_engine::Rules;
    ///
    /// assert_eq!(Rules::preset("tenhou"), Some(Rules::default()));
    /// assert_eq!(Rules::preset("mleague").map(|rules| rules.max_ron), Some(1));
    /// ```
    pub fn preset(name: &str) -> Option<Rules> {
        Preset::named(name).map(Preset::rules)
    }
}
