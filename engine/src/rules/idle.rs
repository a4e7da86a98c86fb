//! Fields without effect, because of the values of other fields.

use super::Rules;
use super::options::{
    Chombo, Enforce, Extension, KanDora, KanDoraTiming, Nagashi, North, PaoScope, ScoringMode, TripleRon,
    Yame,
};
use crate::yaku::Yaku;
use crate::{DrawReason, Players};

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
    pub fn idle_fields(&self) -> Vec<IdleField> {
        let idle = CONDITIONS.iter().filter(|(is_idle, ..)| is_idle(self));
        idle.flat_map(|(_, fields, why)| fields.iter().map(move |field| IdleField { field, why })).collect()
    }
}

/// A condition under which fields have no effect, and its reason.
type Condition = (fn(&Rules) -> bool, &'static [&'static str], &'static str);

/// Makes [`Condition`]s from rows.
macro_rules! conditions {
    ($($is_idle:expr => [$($field:ident)+], $why:literal;)+) => {
        &[$(($is_idle, &[$(stringify!($field)),+], $why)),+]
    };
}

static CONDITIONS: &[Condition] = conditions! {
    |rules| [rules.agari_yame, rules.tenpai_yame] == [Yame::Off; 2]
        => [yame_condition], "`agari_yame` and `tenpai_yame` are \"Off\"";
    |rules| rules.extension == Extension::None => [extension_rounds], "`extension` is \"None\"";
    |rules| !rules.needs_target() => [target], "neither `extension` nor `yame_condition` needs a target";
    |rules| !rules.dora => [kan_dora_on kan_dora deferred_flush kan_ura], "`dora` is false";
    |rules| !rules.dora && !rules.ura => [start_indicators], "`dora` and `ura` are false";
    |rules| rules.dora && !rules.kan_dora_on
        => [kan_dora deferred_flush kan_ura], "`kan_dora_on` is false";
    |rules| {
        let KanDora { ankan, minkan } = rules.kan_dora;
        let at_once = |timing| matches!(timing, KanDoraTiming::Immediate | KanDoraTiming::Off);
        rules.kan_dora_on
            && rules.max_indicators() > rules.start_indicators
            && at_once(ankan)
            && at_once(minkan)
    } => [deferred_flush], "`kan_dora` turns every indicator at once";
    |rules| rules.max_ron == 1 => [multi_ron_sticks multi_ron_honba], "`max_ron` is 1";
    |rules| rules.max_ron == 3 && rules.triple_ron == TripleRon::Abort
        => [max_ron], "three rons abort the hand (`triple_ron`)";
    |rules| match (rules.max_ron, rules.players) {
        (1, players) => players == Players::Two,
        (_, players) => players != Players::Four || rules.triple_ron != TripleRon::HeadBump,
    } => [head_bump], "all players who declare ron win, or none does";
    |rules| rules.chombo == Chombo::Off => [chombo_ends_game], "`chombo` is \"Off\"";
    |rules| rules.players == Players::Four => [tsumo_split], "it is for fewer than four players";
    |rules| !rules.suukaikan => [suukaikan_at], "`suukaikan` is false";
    |rules| {
        let mut reasons = DrawReason::ALL.into_iter().filter(|reason| rules.can_draw_by(*reason));
        !reasons.any(|reason| reason.is_abortive() && reason != DrawReason::Chombo)
    } => [abortive_dealer abortive_noten_payment], "there are no abortive draws";
    |rules| !rules.suufon && !rules.suukaikan
        => [aborting_riichi_pays], "`suufon` and `suukaikan` are false";
    |rules| rules.nagashi == Nagashi::Off
        => [nagashi_needs_closed nagashi_yakuman], "`nagashi` is \"Off\"";
    |rules| rules.pao.is_empty() => [pao_scope pao_ron_honba pao_counts_ankan], "`pao` is empty";
    |rules| ![Yaku::Daisangen, Yaku::Daisuushii].iter().any(|yaku| rules.pao.contains(*yaku))
        => [pao_by_kan], "`pao` has neither daisangen nor daisuushii";
    |rules| {
        let pays_whole_hand =
            rules.pao_scope == PaoScope::WholeHand || rules.scoring_mode == ScoringMode::Aotenjou;
        rules.pao.is_empty() || pays_whole_hand
    } => [pao_tsumo_honba], "no liable player pays for a part of a tsumo";
    |rules| rules.pao.is_empty() && !rules.daiminkan_pao
        => [pao_tsumo_total], "`pao` is empty and `daiminkan_pao` is false";
    |rules| rules.north != North::Nukidora
        => [kita_rob kita_rinshan_yaku], "`north` is not \"Nukidora\"";
    |rules| rules.enforce == Enforce::Simulator
        => [invalid_call riichi_fouls], "`enforce` is \"Simulator\"";
};
