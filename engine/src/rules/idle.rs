//! Fields without effect, because of the values of other fields.

use super::Rules;
use super::options::{
    Enforce, Extension, FifthKan, KanDora, KanDoraTiming, Nagashi, North, PaoScope, ScoringMode, TripleRon,
    Yame, YameCondition,
};
use crate::Players;
use crate::yaku::{Yaku, YakuSet};

/// A field that has no effect, whatever its value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IdleField {
    /// The name of the field.
    pub field: &'static str,
    /// Why it has no effect.
    pub why: &'static str,
}

impl Rules {
    /// The fields that have no effect under these rules.
    ///
    /// ```
    /// use jantaku_engine::Rules;
    ///
    /// let idle = Rules::default().idle_fields();
    /// let kita_rob = idle.iter().find(|idle| idle.field == "kita_rob").expect("no kita");
    /// assert_eq!(kita_rob.why, "`north` is not \"Nukidora\"");
    /// ```
    #[must_use]
    pub fn idle_fields(&self) -> Vec<IdleField> {
        let idle = (self.idle_fields_of_the_end().into_iter())
            .chain(self.idle_fields_of_dora())
            .chain(self.idle_fields_of_wins())
            .chain(self.idle_fields_of_draws())
            .chain(self.idle_fields_of_liability())
            .chain(self.idle_fields_of_variants())
            .filter(|(is_idle, ..)| *is_idle);
        idle.flat_map(|(_, fields, why)| fields.iter().map(move |field| IdleField { field, why })).collect()
    }

    fn idle_fields_of_the_end(&self) -> [Condition; 3] {
        let no_yame = [self.agari_yame, self.tenpai_yame] == [Yame::Off; 2];
        let no_extension = self.extension == Extension::None;
        let yame_needs_target = !no_yame && self.yame_condition == YameCondition::FirstWithTarget;
        [
            (no_yame, &["yame_condition"], "`agari_yame` and `tenpai_yame` are \"Off\""),
            (no_extension, &["extension_rounds"], "`extension` is \"None\""),
            (
                no_extension && !yame_needs_target,
                &["target"],
                "neither `extension` nor `yame_condition` needs a target",
            ),
        ]
    }

    fn idle_fields_of_dora(&self) -> [Condition; 3] {
        let KanDora { ankan, minkan } = self.kan_dora;
        let is_delayed =
            |timing| matches!(timing, KanDoraTiming::AtDiscard | KanDoraTiming::AfterDiscardPassed);
        let no_kan_dora = self.dora && !self.kan_dora_on;
        [
            (!self.dora, &["kan_dora_on", "kan_dora", "deferred_flush", "kan_ura"], "`dora` is false"),
            (no_kan_dora, &["kan_dora", "deferred_flush", "kan_ura"], "`kan_dora_on` is false"),
            (
                self.max_indicators() > 1 && !is_delayed(ankan) && !is_delayed(minkan),
                &["deferred_flush"],
                "`kan_dora` turns every indicator at once",
            ),
        ]
    }

    fn idle_fields_of_wins(&self) -> [Condition; 4] {
        let players = self.players.count();
        let is_bump_possible = match self.max_ron {
            1 => players > 2,
            _ => players == 4 && self.triple_ron == TripleRon::HeadBump,
        };
        [
            (self.max_ron == 1, &["multi_ron_sticks", "multi_ron_honba"], "`max_ron` is 1"),
            (
                self.max_ron == 3 && self.triple_ron == TripleRon::Abort,
                &["max_ron"],
                "three rons abort the hand (`triple_ron`)",
            ),
            (!is_bump_possible, &["head_bump"], "all players who declare ron win, or none does"),
            (self.players == Players::Four, &["tsumo_split"], "it is for fewer than four players"),
        ]
    }

    fn idle_fields_of_draws(&self) -> [Condition; 4] {
        let is_abortive = self.kyuushu
            || self.suufon
            || self.suucha
            || self.suukaikan
            || self.fifth_kan == FifthKan::AbortsHand
            || self.triple_ron == TripleRon::Abort;
        [
            (!self.suukaikan, &["suukaikan_at"], "`suukaikan` is false"),
            (!is_abortive, &["abortive_dealer", "abortive_noten_payment"], "there are no abortive draws"),
            (
                !self.suufon && !self.suukaikan,
                &["aborting_riichi_pays"],
                "`suufon` and `suukaikan` are false",
            ),
            (
                self.nagashi == Nagashi::Off,
                &["nagashi_needs_closed", "nagashi_yakuman"],
                "`nagashi` is \"Off\"",
            ),
        ]
    }

    fn idle_fields_of_liability(&self) -> [Condition; 4] {
        let (no_pao, has) = (self.pao == YakuSet::EMPTY, |yaku| self.pao.contains(yaku));
        let pays_whole_hand =
            self.pao_scope == PaoScope::WholeHand || self.scoring_mode == ScoringMode::Aotenjou;
        [
            (no_pao, &["pao_scope", "pao_ron_honba", "pao_counts_ankan"], "`pao` is empty"),
            (
                !has(Yaku::Daisangen) && !has(Yaku::Daisuushii),
                &["pao_by_kan"],
                "`pao` has neither daisangen nor daisuushii",
            ),
            (no_pao || pays_whole_hand, &["pao_tsumo_honba"], "no liable player pays for a part of a tsumo"),
            (
                no_pao && !self.daiminkan_pao,
                &["pao_tsumo_total"],
                "`pao` is empty and `daiminkan_pao` is false",
            ),
        ]
    }

    fn idle_fields_of_variants(&self) -> [Condition; 2] {
        [
            (
                self.north != North::Nukidora,
                &["kita_rob", "kita_rinshan_yaku"],
                "`north` is not \"Nukidora\"",
            ),
            (
                self.enforce == Enforce::Simulator,
                &["invalid_call", "riichi_fouls"],
                "`enforce` is \"Simulator\"",
            ),
        ]
    }
}

/// A condition under which fields have no effect, and its reason.
type Condition = (bool, &'static [&'static str], &'static str);
