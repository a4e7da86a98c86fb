//! The settings of a room as changes of the rules.

use std::collections::BTreeMap;
use std::fmt::Display;

use jantaku_agents::field_name;
use jantaku_engine::{BySeat, Players, Rules};
use toml::{Table, Value};

use super::Problem;

/// Fields that settings change only in games for three players.
const OF_THREE: &[&str] = &["north", "tsumo_split"];
/// Fields that settings do not change in games for three players, except for head bump.
const OF_FOUR: &[&str] = &["max_ron", "triple_ron", "suufon", "suucha"];

/// The fields of the rules that the settings of a room change: for each, its value and the setting.
#[derive(Clone, Default, Debug)]
pub(super) struct Changes(BTreeMap<String, (Value, String)>);

impl Changes {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Sets fields, written in TOML, as this setting of the log does. `#` stands for the number. Later
    /// values replace earlier ones.
    pub(super) fn set(&mut self, setting: impl Display, fields: &str, number: i64) {
        let fields: Table =
            fields.replace('#', &number.to_string()).parse().expect("settings are written as TOML");
        let setting = setting.to_string();
        self.0.extend(fields.into_iter().map(|(name, value)| (name, (value, setting.clone()))));
    }

    /// Sets the points per honba that each payer of a tsumo pays.
    pub(super) fn set_honba(&mut self, setting: impl Display, each: i64, players: Players) {
        self.set(&setting, "honba_tsumo = #", each);
        self.set(&setting, "honba_ron = #", each.saturating_mul(i64::from(players.count()) - 1));
    }

    /// Sets whether the dealer deals again after winning, and after an exhaustive draw in tenpai. Both are
    /// the default of the rules, so they set nothing.
    pub(super) fn set_renchan(&mut self, [after_win, in_tenpai]: [bool; 2]) {
        let renchan = match [after_win, in_tenpai] {
            [true, true] => return,
            [true, false] => "Win",
            [false, true] => "Tenpai",
            [false, false] => "Never",
        };
        self.set("renchan", &format!("renchan = '{renchan}'"), 0);
    }

    /// Sets what each noten player pays to one, two or three tenpai players. What is not stated stays as
    /// in the rules `base`.
    pub(super) fn set_noten(&mut self, setting: &str, stated: &[Option<i64>], base: &Rules) {
        let players = i32::from(base.players.count());
        let of_base =
            (1..).map(|tenpai| i64::from(base.noten_pool.total(tenpai, players) / (players - tenpai)));
        let of_base: Vec<i64> = of_base.take(stated.len()).collect();
        let each = stated.iter().zip(&of_base).map(|(stated, of_base)| stated.unwrap_or(*of_base));
        let mut each: Vec<i64> = each.collect();
        if each != of_base {
            each.resize(3, 0);
            self.set(format_args!("`{setting}` {each:?}"), &format!("noten_pool = {each:?}"), 0);
        }
    }

    /// Sets the uma of all places but the first, which gets the balance: one row, or rows by how many
    /// players have less than the start points. What is not stated stays as in the rules `base`.
    pub(super) fn set_uma(&mut self, setting: &str, rows: &[Vec<Option<i64>>], base: &Rules) {
        if rows.iter().flatten().all(Option::is_none) {
            return;
        }
        let of_base = &base.uma_after(&BySeat::splat(base.players, 0))[1..];
        let row = |stated: &Vec<Option<i64>>| {
            let others = stated.iter().zip(of_base).map(|(stated, uma)| stated.unwrap_or((*uma).into()));
            let others: Vec<i64> = others.collect();
            let first = -others.iter().sum::<i64>();
            [vec![first], others].concat()
        };
        let rows: Vec<Vec<i64>> = rows.iter().map(row).collect();
        let numbers: Vec<i64> = rows.iter().flat_map(|row| row[1..].iter().copied()).collect();
        let is_fixed = rows.iter().all(|row| *row == rows[0]);
        let uma = if is_fixed { format!("{:?}", rows[0]) } else { format!("{{ below_start = {rows:?} }}") };
        self.set(format_args!("`{setting}` {numbers:?}"), &format!("uma = {uma}"), 0);
    }

    /// These rules with the changes.
    ///
    /// # Errors
    ///
    /// If a value is not allowed, or the changed rules contradict each other.
    pub(super) fn apply(&self, rules: &Rules) -> Result<Rules, Problem> {
        let is_three = rules.players == Players::Three;
        let without_effect = if is_three { OF_FOUR } else { OF_THREE };
        let mut fields = rules.to_table();
        for (name, (value, _)) in &self.0 {
            let is_head_bump = name == "max_ron" && value.as_integer() == Some(1);
            if is_head_bump || !without_effect.contains(&name.as_str()) {
                fields.insert(name.clone(), value.clone());
            }
        }
        Rules::from_toml(&fields.to_string(), "rules").map_err(|error| {
            let problem = &error.problems[0];
            let setting = problem.field.as_ref().and_then(|field| self.0.get(field));
            let setting = setting.map_or("the settings of the room", |(_, setting)| setting);
            Problem::quoting(format!("{setting}: {problem}; {} gives other rules", field_name("rules")))
        })
    }
}
