//! What a hand is worth if it is played on.

use jantaku_engine::{
    Circumstances, Concealed, Melds, Moment, Riichi, Shanten, Tile, TileKind, TileSet, Win,
};

use super::outlook::{Outlook, Outlooks, OutlooksByUkeire, WinMode};
use super::params::Numbers;
use super::plan::{Plan, Plans, count_of};
use super::scene::Scene;
use super::shape::Shape;
use super::standing::Worth;
use super::threat::Threats;
use super::wait::WaitWeights;
use super::{Heuristic, interpolated};

/// What all estimates of one decision use.
pub(super) struct Situation<'a> {
    pub agent: &'a Heuristic,
    pub params: &'a Numbers,
    pub outlooks: &'a Outlooks,
    pub scene: &'a Scene<'a>,
    pub worth: &'a Worth<'a>,
    pub threats: &'a Threats,
    /// The share of what usually adds han to a win in riichi that exists under the rules.
    pub extras: f32,
}

/// Points of a yakuman by another player than the dealer.
pub(super) const YAKUMAN: f32 = 32_000.0;
const RIICHI_STICK: f32 = 1000.0;

/// What a hand is worth with its best plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prospect {
    /// The expected worth of playing on, without the risk of the next discard.
    pub worth: f32,
    /// The chance to win.
    pub win: f32,
    /// Points of a win.
    pub points: f32,
    pub mode: WinMode,
    /// Tiles that the plan needs before it is tenpai.
    pub shanten: i8,
    /// Unseen tiles that lower the shanten.
    pub ukeire: f32,
}

impl Prospect {
    /// A hand without a plan. Plans are better, but not by more than a little danger.
    pub(super) const NONE: Prospect =
        Prospect { worth: -100.0, win: 0.0, points: 0.0, mode: WinMode::Draw, shanten: 9, ukeire: 0.0 };

    pub(super) fn or(self, other: Prospect) -> Prospect {
        if other.worth > self.worth { other } else { self }
    }
}

/// The prospects after each discard.
pub(super) struct Prospects {
    pub(super) plain: [Prospect; TileKind::COUNT],
    riichi: [Prospect; TileKind::COUNT],
}

impl Prospects {
    const NONE: Prospects =
        Prospects { plain: [Prospect::NONE; TileKind::COUNT], riichi: [Prospect::NONE; TileKind::COUNT] };

    /// After a discard of this kind without riichi.
    pub(super) fn plain(&self, kind: TileKind) -> &Prospect {
        &self.plain[kind.index()]
    }

    /// After a discard of this kind with riichi. The hand must be tenpai.
    pub(super) fn riichi(&self, kind: TileKind) -> &Prospect {
        &self.riichi[kind.index()]
    }
}

impl Situation<'_> {
    /// The prospects after each discard of these kinds.
    pub(super) fn after_discards(&self, hand: &Concealed, melds: &Melds, kinds: TileSet) -> Prospects {
        let mut prospects = Prospects::NONE;
        let may_call = self.agent.calls && (!self.agent.fast || melds.are_open());
        for plan in self.plans(hand, melds, may_call).iter() {
            self.add_plan(plan, hand, melds, hand.kinds() & kinds, &mut prospects);
        }
        self.look_ahead(hand, melds, hand.kinds() & kinds, &mut prospects);
        prospects
    }

    /// The prospect of a hand that waits for a draw or a call.
    pub(super) fn waiting(&self, hand: &Concealed, melds: &Melds) -> Prospect {
        let plans = self.plans(hand, melds, self.agent.calls);
        plans.iter().fold(Prospect::NONE, |best, plan| {
            let (shanten, ukeire) = plan.distance();
            best.or(match shanten {
                ..=0 => {
                    let [plain, riichi] = self.tenpai(hand, melds);
                    plain.or(riichi)
                }
                _ => {
                    let stage = self.stage(plan.mode, shanten, 1.0);
                    self.far(&stage, ukeire, self.han(plan, hand).now(), 1.0)
                }
            })
        })
    }

    fn plans(&self, hand: &Concealed, melds: &Melds, may_call: bool) -> Plans {
        Plans::new(self.scene, hand, melds, may_call, &self.params.plan)
    }

    /// Adds what a plan promises after each discard of `kinds`.
    fn add_plan(
        &self,
        plan: &Plan,
        hand: &Concealed,
        melds: &Melds,
        kinds: TileSet,
        prospects: &mut Prospects,
    ) {
        let spare = hand.kinds() - plan.hand.kinds() - plan.kept;
        let after_spare = if spare.is_empty() { None } else { Some(plan.distance()) };
        // A discard that steps back seldom wins. `fast` gives it no plan, so it only serves to fold.
        let options = if self.agent.fast {
            plan.hand.best_discards(plan.melds)
        } else {
            plan.hand.discard_options(plan.melds)
        };
        let least_of_options = options.best_shanten().map(|shanten| shanten.number() + plan.more);
        let least = after_spare.map(|(shanten, _)| shanten).into_iter().chain(least_of_options).min();
        let Some(least) = least else { return };
        let step_back = &self.params.outlook.step_back[usize::from(melds.are_open())];
        let step_back = step_back[(least.max(0) as usize).min(2)];
        let stages = [self.stage(plan.mode, least, 1.0), self.stage(plan.mode, least + 1, step_back)];
        let han = self.han(plan, hand);
        let shape = Shape::new(&plan.hand, self.scene);
        let add_tenpai = |kind: TileKind, prospects: &mut Prospects| {
            if prospects.plain[kind.index()].shanten > 0 {
                let mut rest = *hand;
                rest.remove_any(kind);
                let [plain, riichi] = self.tenpai(&rest, melds);
                prospects.plain[kind.index()] = prospects.plain[kind.index()].or(plain);
                prospects.riichi[kind.index()] = riichi;
            }
        };
        match after_spare {
            Some((..=0, _)) => (spare & kinds).iter().for_each(|kind| add_tenpai(kind, prospects)),
            Some((_, ukeire)) => {
                // The plan is the same after each of these discards.
                let found = self.far(&stages[0], ukeire, han.now(), 1.0);
                for kind in (spare & kinds).iter() {
                    let best = &mut prospects.plain[kind.index()];
                    *best = best.or(found);
                }
            }
            None => {}
        }
        for option in options.as_slice() {
            let (kind, shanten) = (option.kind, option.shanten.number() + plan.more);
            if !kinds.contains(kind) {
                continue;
            }
            if shanten <= 0 {
                add_tenpai(kind, prospects);
            } else if let Some(stage) = stages.get((shanten - least) as usize) {
                let ukeire = (option.ukeire & plan.kinds) | plan.more_kinds;
                let shape_factor = 1.0 - shape.lost(&self.params.shape, kind, shanten);
                let found = self.far(stage, ukeire, han.after(kind), shape_factor);
                let best = &mut prospects.plain[kind.index()];
                *best = best.or(found);
            }
        }
    }

    /// The han to expect from a plan.
    fn han<'a>(&'a self, plan: &'a Plan, hand: &Concealed) -> Han<'a> {
        let value = &self.params.value;
        let sure = plan.yaku + plan.dora + f32::from(self.scene.dora_in(&plan.hand));
        let mut han = Han { scene: self.scene, plan, sure, tanyao: None, of_pairs: 0.0, pinfu: 0.0 };
        if plan.mode == WinMode::Riichi {
            let pairs = (hand.at_least(2) - hand.at_least(3)) & self.scene.valued;
            let may_be_pinfu = hand.at_least(3).is_empty() && pairs.is_empty();
            han.tanyao = Some((&value.tanyao, count_of(hand, TileSet::YAOCHUU)));
            han.of_pairs = value.valued_pair * (pairs & self.scene.unseen.kinds()).len() as f32;
            han.pinfu = if may_be_pinfu { value.pinfu } else { 0.0 };
        }
        han
    }

    /// The prospect of a plan that is not tenpai. `shape_factor` multiplies the chance to win.
    fn far(&self, stage: &Stage<'_>, ukeire: TileSet, han: f32, shape_factor: f32) -> Prospect {
        let points = match stage.mode {
            WinMode::Riichi => self.params.value.of_riichi(han, self.extras),
            _ => self.params.value.of_han(han),
        };
        self.prospect(stage, self.scene.unseen.count(ukeire) as f32, shape_factor, points, None)
    }

    /// A tenpai hand without riichi, and in riichi.
    pub(super) fn tenpai(&self, hand: &Concealed, melds: &Melds) -> [Prospect; 2] {
        let (_, all) = hand.ukeire(melds.len());
        let closed = !melds.are_open();
        let plain = self.waits(hand, melds, all, Riichi::None);
        let furiten = all.intersects(self.scene.discarded);
        if !closed {
            let mode = match (furiten, plain.tiles > 0.0) {
                (_, false) => WinMode::Draw,
                (true, true) => WinMode::Tsumo,
                (false, true) => WinMode::Open,
            };
            return [self.of_waits(mode, &plain, 1.0), Prospect::NONE];
        }
        let riichi = self.waits(hand, melds, all, Riichi::Single);
        // A closed hand without a yaku can still win by tsumo.
        let (mode, waits) = match (furiten, plain.tiles > 0.0) {
            (false, true) => (WinMode::Damaten, &plain),
            (true, true) => (WinMode::Tsumo, &plain),
            (_, false) => (WinMode::Tsumo, &riichi),
        };
        let without = self.of_waits(mode, waits, 1.0);
        let may_riichi = self.scene.may_riichi();
        let mut with = if may_riichi { self.riichi(&riichi, all) } else { Prospect::NONE };
        if !self.worth.is_last_hand() {
            let costs = &self.params.value.riichi_cost[usize::from(mode == WinMode::Tsumo)];
            with.worth -= interpolated(costs, riichi.unseen - 1.0);
        }
        // Riichi adds nothing to a yakuman.
        if plain.points() > YAKUMAN - 1.0 {
            with.worth = with.worth.min(without.worth - RIICHI_STICK);
        }
        [without, with]
    }

    /// The prospect of a tenpai hand that declares riichi if it can.
    pub(super) fn best_tenpai(&self, hand: &Concealed, melds: &Melds) -> Prospect {
        if melds.are_open() || !self.scene.may_riichi() {
            let [plain, riichi] = self.tenpai(hand, melds);
            return plain.or(riichi);
        }
        let (_, waits) = hand.ukeire(melds.len());
        self.riichi(&self.waits(hand, melds, waits, Riichi::Single), waits)
    }

    fn riichi(&self, riichi: &Waits, waits: TileSet) -> Prospect {
        let furiten = waits.intersects(self.scene.discarded);
        let factor = if furiten { self.params.outlook.furiten_riichi } else { 1.0 };
        self.of_waits(WinMode::Riichi, riichi, factor)
    }

    fn waits(&self, hand: &Concealed, melds: &Melds, waits: TileSet, riichi: Riichi) -> Waits {
        let (mut sums, mut kinds) = (Waits::default(), 0);
        let weights = WaitWeights::new(&self.params.wait, self.scene.discarded, riichi);
        for kind in waits.iter() {
            let unseen = self.scene.unseen.of(kind) as f32;
            let points = if unseen > 0.0 { self.ron(hand, melds, kind, riichi) } else { 0.0 };
            if points > 0.0 {
                let left = unseen * weights.of(kind);
                sums.unseen += unseen;
                kinds += 1;
                sums.tiles += left;
                sums.points += left * points;
                if self.worth.is_last_hand() {
                    sums.worth += left * self.worth_of_ron(points, riichi);
                }
            }
        }
        sums.quality = weights.of_kinds(kinds);
        sums
    }

    /// The worth of winning so many points in the last hand, where a few points more can mean a
    /// better placement. In riichi, ippatsu, ura dora or tsumo may add one or two han.
    fn worth_of_ron(&self, points: f32, riichi: Riichi) -> f32 {
        let dealer = if self.scene.is_dealer { self.params.value.dealer } else { 1.0 };
        if riichi == Riichi::None {
            return self.worth.of_win(dealer * points);
        }
        let (mut points, mut worth) = (points, 0.0);
        let [_, one, two] = self.params.value.more_han.map(|chance| self.extras * chance);
        for chance in [1.0 - one - two, one, two] {
            worth += chance * self.worth.of_win(dealer * points);
            points = with_one_han_more(points);
        }
        worth
    }

    /// A tenpai hand that wins with these waits.
    fn of_waits(&self, mode: WinMode, waits: &Waits, factor: f32) -> Prospect {
        let points = match mode {
            WinMode::Riichi => self.params.value.after_riichi(waits.points(), self.extras),
            _ => waits.points(),
        };
        let exact = self.worth.is_last_hand() && waits.tiles > 0.0;
        let worth = exact.then(|| waits.worth / waits.tiles);
        let tiles = if mode == WinMode::Tsumo { waits.unseen } else { waits.tiles * waits.quality };
        let prospect = self.prospect(&self.stage(mode, 0, factor), tiles, 1.0, points, worth);
        Prospect { ukeire: waits.unseen, ..prospect }
    }

    /// Points of a ron by another player than the dealer. 0 without a yaku.
    fn ron(&self, hand: &Concealed, melds: &Melds, kind: TileKind, riichi: Riichi) -> f32 {
        let mut concealed = *hand;
        concealed.add(Tile::plain(kind));
        let o = self.scene.o;
        let win = Win {
            rules: o.rules(),
            concealed,
            melds,
            tile: kind,
            tsumo: false,
            seat_wind: o.seat_wind(o.seat()),
            round_wind: o.round_wind(),
            riichi,
            ippatsu: false,
            moment: Moment::Ordinary,
            first_turn: false,
            indicators: o.indicators(),
            ura_indicators: &[],
            norths: o.side(o.seat()).norths(),
            circumstances: Circumstances {
                honba: o.honba(),
                dealer_wins: o.dealer_wins(),
                ..Circumstances::default()
            },
        };
        win.score().map_or(0.0, |score| 4.0 * score.base as f32)
    }

    /// What the prospects of hands of this mode and shanten share. `factor` multiplies the chance to
    /// win.
    fn stage(&self, mode: WinMode, shanten: i8, factor: f32) -> Stage<'_> {
        let params = self.params;
        let distance = shanten.clamp(0, 5) as usize;
        let in_riichi = mode == WinMode::Riichi && shanten == 0;
        let [offset, share] = params.value.settles[usize::from(mode == WinMode::Open)][distance.min(4)];
        let dealer = if self.scene.is_dealer { params.value.dealer } else { 1.0 };
        let threats = self.threats.expected_tenpai;
        Stage {
            mode,
            shanten,
            in_riichi,
            outlooks: self.outlooks.of(threats, mode, distance, self.scene.draws),
            factor,
            points: [offset, share * dealer],
            share: 1.0 + threats.min(1.0) * (params.push.under_threat[distance] - 1.0),
            danger: params.push.future_danger[usize::from(in_riichi)] * threats,
            saved: self.worth.threat_cost * threats,
        }
    }

    /// The prospect of a hand that wins so many points, if it is another player's than the dealer's.
    /// `of_win` is the worth of a win where it does not follow from the points.
    fn prospect(
        &self,
        stage: &Stage<'_>,
        ukeire: f32,
        shape_factor: f32,
        points: f32,
        of_win: Option<f32>,
    ) -> Prospect {
        let value = self.agent.value;
        let [offset, share] = stage.points;
        let (points, of_win) =
            if value { (offset + share * points, of_win) } else { (self.params.value.usual, None) };
        let outlook = stage.outlooks.with(ukeire);
        let outlook = Outlook { win: outlook.win * stage.factor * shape_factor, ..outlook };
        let of_win = of_win.unwrap_or_else(|| self.worth.win(points));
        let worth = stage.share * self.of_outlook(stage, outlook, of_win);
        // A hand that is not in riichi can still be folded.
        let worth = if worth < 0.0 && !stage.in_riichi { self.params.push.folded * worth } else { worth };
        Prospect { worth, win: outlook.win, points, mode: stage.mode, shanten: stage.shanten, ukeire }
    }

    fn of_outlook(&self, stage: &Stage<'_>, outlook: Outlook, of_win: f32) -> f32 {
        let lost_sticks = match stage.mode {
            WinMode::Riichi if stage.in_riichi => self.worth.stick * (1.0 - outlook.win),
            WinMode::Riichi => self.params.value.lost_sticks * outlook.win,
            _ => 0.0,
        };
        outlook.win * (of_win + stage.saved) + outlook.tenpai * self.worth.tenpai
            - outlook.discards * stage.danger * self.threats.loss
            - lost_sticks
    }
}

/// What the prospects of hands of one mode and shanten share.
struct Stage<'a> {
    mode: WinMode,
    shanten: i8,
    in_riichi: bool,
    outlooks: OutlooksByUkeire<'a>,
    /// Factor of the chance to win.
    factor: f32,
    /// What is really won, as an offset and a factor of the estimate.
    points: [f32; 2],
    /// The share of the worth that remains under the threat.
    share: f32,
    /// The expected deal-ins for each later discard.
    danger: f32,
    /// What the threat costs a hand that does not win.
    saved: f32,
}

/// The han to expect from a plan.
struct Han<'a> {
    scene: &'a Scene<'a>,
    plan: &'a Plan,
    /// Han of yaku and dora.
    sure: f32,
    /// In a closed hand, the chances of tanyao and the yaochuu tiles.
    tanyao: Option<(&'a [f32], u32)>,
    of_pairs: f32,
    pinfu: f32,
}

impl Han<'_> {
    /// With all tiles of the plan.
    fn now(&self) -> f32 {
        self.with_yaochuu(self.sure, 0)
    }

    /// After the discard of a tile of the plan.
    fn after(&self, discard: TileKind) -> f32 {
        let hand = &self.plan.hand;
        let last_is_red = TileSet::FIVES.contains(discard) && hand.reds_of(discard) == hand.count(discard);
        let sure = self.sure - f32::from(self.scene.dora_of(discard) + u8::from(last_is_red));
        self.with_yaochuu(sure, u32::from(discard.is_yaochuu()))
    }

    fn with_yaochuu(&self, sure: f32, discarded: u32) -> f32 {
        let Some((chances, yaochuu)) = self.tanyao else { return sure };
        let tanyao = chances.get(yaochuu.saturating_sub(discarded) as usize).copied().unwrap_or(0.0);
        sure + tanyao + self.of_pairs + self.pinfu
    }
}

/// Sums over the waits of a hand.
#[derive(Clone, Copy, Default)]
struct Waits {
    /// Unseen tiles that win.
    unseen: f32,
    /// The unseen tiles, each as its weight.
    tiles: f32,
    /// The factor of these tiles for the number of kinds.
    quality: f32,
    /// Their points together, each times its weight.
    points: f32,
    /// In the last hand, the worth of winning with each of them, likewise.
    worth: f32,
}

impl Waits {
    /// The mean points of a win.
    fn points(self) -> f32 {
        if self.tiles > 0.0 { self.points / self.tiles } else { 0.0 }
    }
}

impl Plan {
    /// Tiles that the plan needs before it is tenpai, and the kinds that serve.
    fn distance(&self) -> (i8, TileSet) {
        if self.is_fixed() {
            return (self.more, self.more_kinds);
        }
        let (shanten, ukeire): (Shanten, TileSet) = self.hand.ukeire(self.melds);
        (shanten.number() + self.more, (ukeire & self.kinds) | self.more_kinds)
    }
}

/// Points of a ron by another player than the dealer with one han more. Fu are ignored below a
/// mangan.
fn with_one_han_more(points: f32) -> f32 {
    let limits = [8000.0, 12000.0, 16000.0, 24000.0, 32000.0];
    let limit = limits.into_iter().find(|limit| *limit > points).unwrap_or(points);
    limit.min(2.0 * points)
}
