//! Whether the game ends after a hand.

use jantaku_engine::rules::options::{Extension, Renchan, Tobi, Yame, YameCondition};
use jantaku_engine::{Rules, Wind};

/// The end of a hand, with the facts that decide whether the dealer deals again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    Win { by_dealer: bool },
    Draw { dealer_is_tenpai: bool },
}

/// The rules and the state of the game that decide whether a hand is the last one.
#[derive(Clone, Copy, Debug)]
pub(super) struct GameEnd<'a> {
    pub rules: &'a Rules,
    /// The number of scheduled hands left, this one included. 0 in an extension.
    hands: usize,
    /// The index of the dealer among the points.
    pub dealer: usize,
}

impl<'a> GameEnd<'a> {
    pub(super) const fn new(rules: &'a Rules, hands: usize, dealer: usize) -> GameEnd<'a> {
        GameEnd { rules, hands, dealer }
    }

    /// Whether no hand is scheduled after this one.
    pub(super) const fn is_last_hand(&self) -> bool {
        self.hands <= 1
    }

    /// Whether the dealer deals again.
    pub(super) const fn repeats(&self, ending: Ending) -> bool {
        let players = self.rules.players.count() as usize;
        let is_east = self.hands + players > self.rules.wind_rounds as usize * players;
        let wind = if is_east { Wind::East } else { Wind::South };
        match (self.rules.renchan.in_round(wind), ending) {
            (Renchan::Never, _)
            | (Renchan::Win, Ending::Draw { .. })
            | (Renchan::Tenpai, Ending::Win { .. }) => false,
            (Renchan::Always, Ending::Draw { .. }) => true,
            (_, Ending::Win { by_dealer }) => by_dealer,
            (Renchan::WinOrTenpai | Renchan::Tenpai, Ending::Draw { dealer_is_tenpai }) => dealer_is_tenpai,
        }
    }

    /// Whether the game ends with these points. A dealer with the choice ends it when in first
    /// place.
    pub(super) fn is_over(&self, points: &[f32], ending: Ending) -> bool {
        let broke = |points: f32| match self.rules.tobi {
            Tobi::Off => false,
            Tobi::BelowZero => points < 0.0,
            Tobi::ZeroOrBelow => points <= 0.0,
        };
        let has_goal = |points: f32| self.rules.goal_points.0.is_some_and(|goal| points >= goal as f32);
        if points.iter().any(|points| broke(*points) || has_goal(*points)) {
            return true;
        }
        if !self.is_last_hand() {
            return false;
        }
        let extension = self.rules.extension;
        let has_target = |points: f32| self.rules.target.0.is_some_and(|target| points >= target as f32);
        if !self.repeats(ending) {
            return extension == Extension::None || points.iter().copied().any(has_target);
        }
        let sudden_death = self.hands == 0 && extension == Extension::SuddenDeath;
        if sudden_death && points.iter().copied().any(has_target) {
            return true;
        }
        let own = points[self.dealer];
        let leads = || points.iter().all(|other| *other <= own);
        let may_end = match self.rules.yame_condition {
            YameCondition::FirstWithTarget => leads() && has_target(own),
            YameCondition::First => leads(),
            YameCondition::TeamLeads | YameCondition::None => true,
        };
        let yame = match ending {
            Ending::Win { .. } => self.rules.agari_yame,
            Ending::Draw { dealer_is_tenpai: true } => self.rules.tenpai_yame,
            Ending::Draw { dealer_is_tenpai: false } => Yame::Off,
        };
        may_end
            && match yame {
                Yame::Off => false,
                Yame::Auto => true,
                Yame::Choice => leads(),
            }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIN: Ending = Ending::Win { by_dealer: true };
    const LOST: Ending = Ending::Win { by_dealer: false };
    const TENPAI: Ending = Ending::Draw { dealer_is_tenpai: true };
    const NOTEN: Ending = Ending::Draw { dealer_is_tenpai: false };

    fn rules(changes: &str) -> Rules {
        let text = format!("base = \"tenhou\"\n{changes}");
        Rules::from_toml(&text, "test").unwrap_or_else(|error| panic!("{error}"))
    }

    /// Whether the last hand ends the game. The first points are the dealer's.
    fn ends(changes: &str, points: [f32; 4], ending: Ending) -> bool {
        GameEnd::new(&rules(changes), 1, 0).is_over(&points, ending)
    }

    #[test]
    fn a_leading_dealer_ends_the_last_hand_as_the_rules_allow() {
        let (leads, behind) = ([40000.0, 20000.0, 20000.0, 20000.0], [20000.0, 40000.0, 20000.0, 20000.0]);
        assert!(ends("", leads, WIN) && ends("", leads, TENPAI), "tenhou");
        assert!(!ends("", behind, WIN) && !ends("", behind, TENPAI));
        assert!(ends("", behind, LOST) && ends("", behind, NOTEN), "a player has the target");
        let no_tenpai_yame = "tenpai_yame = \"Off\"";
        assert!(ends(no_tenpai_yame, leads, WIN) && !ends(no_tenpai_yame, leads, TENPAI));
        let low = [29000.0, 25000.0, 25000.0, 21000.0];
        assert!(!ends("", low, WIN), "below the target");
        assert!(ends("yame_condition = \"First\"", low, WIN));
        assert!(ends("renchan = \"Win\"", behind, TENPAI), "the deal passes");
    }

    #[test]
    fn a_broke_player_ends_the_game() {
        let points = [50000.0, 30000.0, 20000.0, 0.0];
        let first =
            |changes: &str, points: [f32; 4]| GameEnd::new(&rules(changes), 8, 0).is_over(&points, LOST);
        assert!(!first("", points));
        assert!(first("", [50000.0, 30000.0, 20100.0, -100.0]));
        assert!(first("tobi = \"ZeroOrBelow\"", points));
        assert!(!first("tobi = \"Off\"", [50000.0, 30000.0, 20100.0, -100.0]));
    }
}
