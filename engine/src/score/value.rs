//! The best reading of a winning hand, and whether the rules let it win.

use super::facts::Facts;
use super::{Circumstances, Limit, Moment, NoWin, Score, Win, limit, local, readings};
use crate::rules::options::{Atozuke, Renhou};
use crate::{Shanten, Tile, TileKind, TileSet};

impl Win<'_> {
    /// The value of the hand in its best reading.
    ///
    /// The best reading pays the most points. Ties are broken by the number of yakuman (a counted
    /// yakuman has none), then han, then fu.
    ///
    /// `None` if the hand is not complete, or has fewer han from yaku than the rules require.
    pub fn score(&self) -> Option<Score> {
        let Some(standard) = self.form() else { return local::unconnected(self) };
        let facts = self.facts();
        let best = readings::best(self, &facts, standard);
        let Some(renhou) = self.renhou(&facts) else { return best };
        if renhou.beats(best.as_ref()) { Some(renhou) } else { best }
    }

    /// The base points of [`score`](Win::score), in fewer steps.
    pub fn base_points(&self) -> Option<u32> {
        let base = |score: Score| score.base;
        let Some(standard) = self.form() else { return local::unconnected(self).map(base) };
        let facts = self.facts();
        readings::most_base_points(self, &facts, standard).max(self.renhou(&facts).map(base))
    }

    /// Whether the hand is four sets and a pair. `None` if it is neither that nor a special form.
    #[inline(always)]
    fn form(&self) -> Option<bool> {
        let standard = self.concealed.tracker().standard_shanten(self.melds.len()) == Shanten::COMPLETE;
        (standard || self.is_special()).then_some(standard)
    }

    /// The facts about the hand, with its local yaku.
    #[inline(always)]
    fn facts(&self) -> Facts {
        let mut facts = Facts::of(self);
        if !self.rules.local_yaku.is_empty() {
            local::add_to(&mut facts, self);
        }
        facts
    }

    /// Renhou as a value of its own, where the rules have that.
    #[inline]
    fn renhou(&self, facts: &Facts) -> Option<Score> {
        match self.rules.renhou {
            Renhou::ManganFloor if facts.renhou => Some(Score::renhou(Limit::Mangan, 0, 2000)),
            Renhou::HanAlone(han) if facts.renhou => {
                let (limit, base) = limit::base_points(u32::from(han), 30, self.rules);
                Some(Score::renhou(limit, han, base))
            }
            _ => None,
        }
    }

    /// The value of the hand, if the rules let it win.
    ///
    /// `waits` are the kinds that complete the hand without its winning tile
    /// ([`Concealed::waits`](crate::Concealed::waits)).
    ///
    /// # Errors
    ///
    /// If the hand is not complete or has too few han from yaku, or if a wait has no yaku where every wait
    /// needs one.
    #[inline]
    pub fn allowed(&self, waits: TileSet) -> Result<Score, NoWin> {
        let score = self.score().ok_or(NoWin::TooFewHan)?;
        if self.rules.atozuke == Atozuke::Ari {
            return Ok(score);
        }
        match waits.iter().find(|wait| !self.has_yaku_without_luck(*wait)) {
            Some(wait) => Err(NoWin::WaitWithoutYaku(wait)),
            None => Ok(score),
        }
    }

    /// Whether a ron on this kind instead of the winning tile has a yaku that does not depend on
    /// luck.
    fn has_yaku_without_luck(&self, wait: TileKind) -> bool {
        let mut concealed = self.concealed;
        concealed.remove_any(self.tile);
        concealed.add(Tile::plain(wait));
        let circumstances = Circumstances { riichi_tile: false, after_kan: false, ..self.circumstances };
        let ron = Win {
            concealed,
            tile: wait,
            tsumo: false,
            ippatsu: false,
            moment: Moment::Ordinary,
            first_turn: false,
            circumstances,
            ..self.clone()
        };
        ron.score().is_some()
    }

    /// Whether the hand is seven pairs or thirteen orphans.
    fn is_special(&self) -> bool {
        readings::is_seven_pairs(self) || readings::is_thirteen_orphans(self)
    }
}
