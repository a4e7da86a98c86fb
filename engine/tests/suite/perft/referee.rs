//! A second generator of legal actions, written from the rules for clarity and not for speed: it
//! keeps tiles in lists and splits hands by trial and error.
//!
//! It follows a hand by its events and takes nothing from the engine's state machine. From the
//! engine it uses the vocabulary, the rule values and [`Win::score`], to know whether a complete
//! hand has a yaku; other tests compare scores with those of other programs.
//!
//! # Why
//!
//! **How do we know that the legal actions are right?** Recorded games show the chosen actions, but
//! not the alternatives. So the tests have a second implementation of the rules, which keeps tiles
//! in lists and decomposes hands by trial. It checks every decision of random hands and of the
//! perft positions. Rejected: counting the actions that `submit` accepts, because that compares the
//! engine with itself.

use std::cell::RefCell;
use std::collections::HashMap;

use jantaku_engine::Rules;
use jantaku_engine::rules::options::{
    AnkanRob, Kuikae, North, OwnFourWait, RiichiAnkan, TempFuritenEnd, TempFuritenTrigger,
};
use jantaku_engine::{
    Action, ActionSet, BySeat, ChiPosition, Circumstances, Concealed, Declare, Event, Meld, MeldKind, Melds,
    Moment, Observer, Players, Riichi, Seat, Tile, TileKind, Win, Wind,
};

/// The players who must answer, in turn order, with their legal actions.
pub type Asked = Vec<(Seat, ActionSet)>;

/// The state of a hand as the referee follows it.
#[derive(Clone)]
pub struct Referee {
    rules: Rules,
    dealer: Seat,
    round_wind: Wind,
    scores: BySeat<i32>,
    holders: BySeat<Holder>,
    live: usize,
    kans: usize,
    /// No call, kan or kita so far.
    uninterrupted: bool,
    question: Question,
    offer: Option<Offer>,
    /// The offer is the discard of a riichi that is not accepted yet.
    declared: bool,
    /// What a win on the next replacement tile would count as.
    replacement_moment: Moment,
    /// What a win on the tile drawn would count as.
    moment: Moment,
    /// Kuikae: the kinds that may not be discarded now.
    forbidden: Vec<TileKind>,
    /// A player has won or ended the hand.
    stopped: bool,
}

/// The tiles and the furiten state of one player.
#[derive(Clone)]
struct Holder {
    hand: Vec<Tile>,
    drawn: Option<Tile>,
    waits: Vec<TileKind>,
    melds: Vec<Meld>,
    river: Vec<TileKind>,
    discards: usize,
    riichi: Riichi,
    /// Temporary furiten.
    missed: bool,
    /// Furiten to the end of the hand.
    missed_in_riichi: bool,
}

/// What must be decided.
#[derive(Clone, Copy, PartialEq)]
enum Question {
    Nothing,
    Turn(Seat),
    /// Whether other players claim the offer.
    Tile,
    /// Who shows their hand at the exhaustive draw.
    Draw,
}

/// A tile that other players may claim.
#[derive(Clone, Copy)]
struct Offer {
    tile: Tile,
    from: Seat,
    why: Why,
}

#[derive(Clone, Copy, PartialEq)]
enum Why {
    Discard,
    Kakan,
    Ankan,
    Kita,
}

impl Referee {
    pub fn new(rules: &Rules) -> Referee {
        assert_eq!(
            rules.temp_furiten_trigger,
            TempFuritenTrigger::Shape,
            "the referee knows only temporary furiten by shape"
        );
        assert_eq!(rules.min_yaku, 1, "the referee knows only a minimum of one han");
        let empty = Holder {
            hand: Vec::new(),
            drawn: None,
            waits: Vec::new(),
            melds: Vec::new(),
            river: Vec::new(),
            discards: 0,
            riichi: Riichi::None,
            missed: false,
            missed_in_riichi: false,
        };
        Referee {
            rules: *rules,
            dealer: Seat::FIRST,
            round_wind: Wind::of_round(0),
            scores: BySeat::splat(rules.players, 0),
            holders: BySeat::from_fn(rules.players, |_| empty.clone()),
            live: 0,
            kans: 0,
            uninterrupted: true,
            question: Question::Nothing,
            offer: None,
            declared: false,
            replacement_moment: Moment::Ordinary,
            moment: Moment::Ordinary,
            forbidden: Vec::new(),
            stopped: false,
        }
    }

    fn players(&self) -> Players {
        self.rules.players
    }

    /// The other players in turn order.
    fn after(&self, seat: Seat) -> Vec<Seat> {
        (1..self.players().count()).map(|steps| seat.after(steps, self.players())).collect()
    }

    /// The players who must answer now. A player with a single legal action is not asked.
    pub fn asked(&self) -> Asked {
        let mut asked: Asked = match (self.question, self.offer) {
            (Question::Turn(seat), _) => vec![(seat, self.turn(seat))],
            (Question::Tile, Some(offer)) => {
                self.after(offer.from).into_iter().map(|seat| (seat, self.claims(seat, offer))).collect()
            }
            _ => Vec::new(),
        };
        asked.retain(|(_, actions)| actions.len() > 1);
        let at_end =
            matches!(self.question, Question::Tile | Question::Draw) && self.live == 0 && !self.aborts();
        if asked.is_empty() && at_end && !self.declared && self.rules.noten_declaration {
            let choice: ActionSet = [Action::Pass, Action::KeepClosed].into_iter().collect();
            let may_choose = |seat: &Seat| {
                let holder = &self.holders[*seat];
                holder.riichi == Riichi::None && self.is_tenpai(&holder.hand, &holder.melds)
            };
            let seats = std::iter::once(self.dealer).chain(self.after(self.dealer));
            asked = seats.filter(may_choose).map(|seat| (seat, choice)).collect();
        }
        asked
    }

    /// Takes the answers of all players who were asked.
    pub fn answered(&mut self, answers: &[Action]) {
        let ends = |action: &Action| matches!(action, Action::Ron | Action::Tsumo | Action::KyuushuKyuuhai);
        self.stopped |= answers.iter().any(ends);
        let was_claim = self.question == Question::Tile && self.offer.is_some_and(|l| l.why == Why::Discard);
        self.question = if was_claim { Question::Draw } else { Question::Nothing };
    }

    /// Whether the hand is over.
    pub fn ends(&self) -> bool {
        self.stopped || self.aborts() || self.live == 0
    }

    /// Whether an abortive draw ends the hand if no player wins on the offer.
    fn aborts(&self) -> bool {
        let owns = |holder: &Holder| holder.melds.iter().filter(|meld| meld.is_kan()).count();
        let rivers = || self.holders.iter().flat_map(|holder| &holder.river);
        let first = rivers().next();
        self.rules.suukaikan && self.kans == 4 && !self.holders.iter().any(|h| owns(h) == 4)
            || self.rules.suucha && self.holders.iter().all(|h| h.riichi != Riichi::None)
            || self.rules.suufon
                && self.uninterrupted
                && self.holders.iter().all(|holder| holder.discards == 1)
                && first.is_some_and(|kind| (27..31).contains(&kind.number()))
                && rivers().all(|kind| Some(kind) == first)
    }

    fn turn(&self, seat: Seat) -> ActionSet {
        let holder = &self.holders[seat];
        let Some(drawn) = holder.drawn else {
            let allowed = holder.hand.iter().filter(|tile| !self.forbidden.contains(&tile.kind()));
            return allowed.map(|tile| discard(*tile, Declare::Nothing)).collect();
        };
        let mut tiles = holder.hand.clone();
        tiles.push(drawn);
        let mut actions = vec![Action::Tsumogiri { declare: Declare::Nothing }];
        if self.wins(seat, drawn, true, self.moment) {
            actions.push(Action::Tsumo);
        }
        let norths: &[Tile] = if holder.riichi == Riichi::None { &tiles } else { &[drawn] };
        let has_north = norths.iter().any(|tile| tile.kind() == TileKind::NORTH);
        if self.rules.north == North::Nukidora && self.live > 0 && has_north {
            actions.push(Action::Kita);
        }
        if self.live > 0 && self.kans < 4 {
            let kinds = TileKind::all().filter(|kind| self.may_make_kan(seat, *kind, drawn));
            actions.extend(kinds.map(|kind| Action::Kan { kind }));
        }
        if holder.riichi != Riichi::None {
            return actions.into_iter().collect();
        }
        actions.extend(holder.hand.iter().map(|tile| discard(*tile, Declare::Nothing)));
        if self.may_declare_riichi(seat) {
            let declare = Declare::Riichi;
            let leaves_tenpai = |tile: &Tile| self.is_tenpai(&without(&tiles, &[*tile]), &holder.melds);
            actions.extend(holder.hand.iter().filter(|t| leaves_tenpai(t)).map(|t| discard(*t, declare)));
            actions.extend(leaves_tenpai(&drawn).then_some(Action::Tsumogiri { declare }));
        }
        let kinds = TileKind::all().filter(|kind| kind.is_yaochuu() && count(&tiles, *kind) > 0).count();
        if self.rules.kyuushu && self.uninterrupted && holder.discards == 0 && kinds >= 9 {
            actions.push(Action::KyuushuKyuuhai);
        }
        actions.into_iter().collect()
    }

    fn may_declare_riichi(&self, seat: Seat) -> bool {
        let enough = self.rules.riichi_min_points.0.is_none_or(|points| self.scores[seat] >= points);
        let closed = self.holders[seat].melds.iter().all(|meld| meld.kind() == MeldKind::Ankan);
        enough && closed && self.live >= usize::from(self.rules.riichi_min_live)
    }

    fn may_make_kan(&self, seat: Seat, kind: TileKind, drawn: Tile) -> bool {
        let holder = &self.holders[seat];
        let in_hand = count(&holder.hand, kind) + usize::from(drawn.kind() == kind);
        if holder.riichi != Riichi::None {
            return in_hand == 4 && drawn.kind() == kind && self.keeps_riichi(holder, kind);
        }
        let pon = |meld: &Meld| meld.kind() == MeldKind::Pon && meld.low() == kind;
        in_hand == 4 || in_hand == 1 && holder.melds.iter().any(pon)
    }

    fn keeps_riichi(&self, holder: &Holder, kind: TileKind) -> bool {
        let rest: Vec<Tile> = holder.hand.iter().copied().filter(|tile| tile.kind() != kind).collect();
        let same_waits = waits(&rest) == holder.waits;
        let is_triplet_always = || {
            let sets = |wait: &TileKind| set_readings(&with(&holder.hand, Tile::plain(*wait)));
            holder.waits.iter().flat_map(sets).all(|reading| reading.contains(&[kind; 3]))
        };
        match self.rules.riichi_ankan {
            RiichiAnkan::Forbidden => false,
            RiichiAnkan::WaitsUnchanged => same_waits,
            RiichiAnkan::ShapeUnchanged => same_waits && is_triplet_always(),
            RiichiAnkan::YakuSafe | RiichiAnkan::Free => unreachable!("no file has this rule"),
        }
    }

    fn claims(&self, seat: Seat, offer: Offer) -> ActionSet {
        let holder = &self.holders[seat];
        let mut actions = vec![Action::Pass];
        let moment = match offer.why {
            Why::Kakan | Why::Ankan => Moment::Chankan,
            Why::Discard if self.live == 0 => Moment::LastTile,
            Why::Discard | Why::Kita => Moment::Ordinary,
        };
        if self.may_rob(holder, offer.why)
            && !is_furiten(holder)
            && self.wins(seat, offer.tile, false, moment)
        {
            actions.push(Action::Ron);
        }
        let four_kans = self.kans == 4 && self.aborts();
        if offer.why == Why::Discard && self.live > 0 && holder.riichi == Riichi::None && !four_kans {
            self.pons(holder, offer.tile.kind(), &mut actions);
            if self.rules.chi && offer.from.next(self.players()) == seat {
                self.chis(holder, offer.tile.kind(), &mut actions);
            }
        }
        actions.into_iter().collect()
    }

    fn may_rob(&self, holder: &Holder, why: Why) -> bool {
        let orphans = || TileKind::all().filter(|kind| kind.is_yaochuu());
        let has_orphans = || holder.hand.iter().all(|tile| tile.kind().is_yaochuu());
        match why {
            Why::Discard | Why::Kakan => true,
            Why::Kita => self.rules.kita_rob,
            Why::Ankan => {
                let held = orphans().filter(|kind| count(&holder.hand, *kind) > 0).count();
                self.rules.ankan_rob == AnkanRob::KokushiOnly
                    && holder.melds.is_empty()
                    && has_orphans()
                    && held >= 12
            }
        }
    }

    fn pons(&self, holder: &Holder, kind: TileKind, actions: &mut Vec<Action>) {
        let of_kind: Vec<Tile> = holder.hand.iter().copied().filter(|tile| tile.kind() == kind).collect();
        if of_kind.len() == 3 && self.kans < 4 {
            actions.push(Action::Daiminkan);
        }
        let red = of_kind.iter().filter(|tile| tile.is_red()).count();
        let forbidden = self.forbidden_after(kind, None);
        let may_discard =
            holder.hand.iter().any(|tile| tile.kind() != kind) || of_kind.len() > 2 && forbidden.is_empty();
        for reds in (0..=2).filter(|reds| *reds <= red && 2 - reds <= of_kind.len() - red && may_discard) {
            actions.push(Action::Pon { reds: reds as u8 });
        }
    }

    fn chis(&self, holder: &Holder, claimed: TileKind, actions: &mut Vec<Action>) {
        for position in ChiPosition::ALL {
            let Some(partners) = position.partners(claimed) else { continue };
            let forbidden = self.forbidden_after(claimed, Some(position));
            for a in tiles_of(&holder.hand, partners[0]) {
                for b in tiles_of(&holder.hand, partners[1]) {
                    let rest = without(&holder.hand, &[a, b]);
                    if rest.iter().any(|tile| !forbidden.contains(&tile.kind())) {
                        actions.push(Action::Chi { position, red: a.is_red() || b.is_red() });
                    }
                }
            }
        }
    }

    /// Kuikae: the kinds that may not be discarded after a call.
    fn forbidden_after(&self, claimed: TileKind, position: Option<ChiPosition>) -> Vec<TileKind> {
        let other_end = match position {
            Some(ChiPosition::Low) => claimed.offset(3),
            Some(ChiPosition::High) => claimed.offset(-3),
            _ => None,
        };
        let (same, other) = match self.rules.kuikae {
            Kuikae::Both => (Some(claimed), other_end),
            Kuikae::GenbutsuOnly => (Some(claimed), None),
            Kuikae::SujiOnly => (None, other_end),
            Kuikae::Free => (None, None),
        };
        same.into_iter().chain(other).collect()
    }

    fn is_tenpai(&self, hand: &[Tile], melds: &[Meld]) -> bool {
        let in_melds = |kind| melds.iter().map(|meld| meld.count(kind)).sum::<usize>();
        waits(hand).into_iter().any(|kind| match self.rules.own_four_wait {
            OwnFourWait::NotIfConcealedFour => true,
            OwnFourWait::NotIfOwnFour => count(hand, kind) + in_melds(kind) < 4,
            OwnFourWait::Tenpai => unreachable!("no file has this rule"),
        })
    }

    /// Whether the tile completes the hand with a yaku.
    fn wins(&self, seat: Seat, tile: Tile, tsumo: bool, moment: Moment) -> bool {
        let holder = &self.holders[seat];
        if !holder.waits.contains(&tile.kind()) {
            return false;
        }
        let concealed: Concealed = with(&holder.hand, tile).into_iter().collect();
        let mut melds = Melds::EMPTY;
        holder.melds.iter().for_each(|meld| melds.push(*meld));
        let win = Win {
            rules: &self.rules,
            concealed,
            melds: &melds,
            tile: tile.kind(),
            tsumo,
            seat_wind: seat.wind(self.dealer, self.players()),
            round_wind: self.round_wind,
            riichi: holder.riichi,
            ippatsu: false,
            moment,
            first_turn: self.uninterrupted && holder.discards == 0,
            indicators: &[],
            ura_indicators: &[],
            norths: 0,
            circumstances: Circumstances::default(),
        };
        win.score().is_some()
    }

    /// No player won on the offer: those whose waits contain it are furiten. A kan stands.
    fn tile_passed(&mut self) {
        let Some(offer) = self.offer.take() else { return };
        for seat in self.after(offer.from) {
            if self.holders[seat].waits.contains(&offer.tile.kind())
                && self.may_rob(&self.holders[seat], offer.why)
            {
                let holder = &mut self.holders[seat];
                holder.missed = true;
                holder.missed_in_riichi |= holder.riichi != Riichi::None;
            }
        }
        match offer.why {
            Why::Discard => {}
            Why::Kita => {
                self.replacement_moment = Moment::KitaReplacement;
                self.interrupted(offer.from);
            }
            Why::Ankan => self.kan_stands(offer.from),
            Why::Kakan => {
                let added = offer.tile;
                let pon = |meld: &&mut Meld| meld.kind() == MeldKind::Pon && meld.low() == added.kind();
                let melds = &mut self.holders[offer.from].melds;
                let meld = melds.iter_mut().find(pon).expect("a tile is added to a pon");
                let reds = meld.reds() + u8::from(added.is_red());
                *meld = Meld::new(MeldKind::Kakan, meld.low(), reds, meld.claimed());
                self.kan_stands(offer.from);
            }
        }
    }

    fn kan_stands(&mut self, seat: Seat) {
        self.kans += 1;
        self.replacement_moment = Moment::Rinshan;
        self.interrupted(seat);
    }

    /// A call, kan or kita interrupts the first go-around.
    fn interrupted(&mut self, by: Seat) {
        self.uninterrupted = false;
        match self.rules.temp_furiten_end {
            TempFuritenEnd::OwnDiscard | TempFuritenEnd::OwnDraw => {}
            TempFuritenEnd::OwnDrawOrOwnCall => self.holders[by].missed = false,
            TempFuritenEnd::OwnDrawOrAnyCall => self.holders.iter_mut().for_each(|h| h.missed = false),
        }
    }

    fn drawn(&mut self, seat: Seat, tile: Tile, replacement: bool) {
        assert!(self.live > 0, "a draw from an empty wall");
        assert!(replacement || !self.aborts(), "the hand should be over");
        self.live -= 1;
        self.moment = match (replacement, self.live) {
            (true, _) => self.replacement_moment,
            (false, 0) => Moment::LastTile,
            (false, _) => Moment::Ordinary,
        };
        let holder = &mut self.holders[seat];
        holder.drawn = Some(tile);
        holder.missed &= self.rules.temp_furiten_end == TempFuritenEnd::OwnDiscard;
        self.question = Question::Turn(seat);
    }

    /// The tile drawn joins the hand because the player does not win with it.
    fn take_in(&mut self, seat: Seat) {
        let holder = &mut self.holders[seat];
        if let Some(tile) = holder.drawn.take() {
            holder.missed_in_riichi |= holder.riichi != Riichi::None && holder.waits.contains(&tile.kind());
            holder.hand.push(tile);
        }
    }

    fn place_offer(&mut self, seat: Seat, tile: Tile, why: Why) {
        self.holders[seat].waits = waits(&self.holders[seat].hand);
        self.offer = Some(Offer { tile, from: seat, why });
        self.question = Question::Tile;
    }

    fn discarded(&mut self, seat: Seat, tile: Tile) {
        self.take_in(seat);
        let holder = &mut self.holders[seat];
        holder.hand = without(&holder.hand, &[tile]);
        holder.river.push(tile.kind());
        holder.discards += 1;
        holder.missed &= self.rules.temp_furiten_end != TempFuritenEnd::OwnDiscard;
        self.forbidden.clear();
        self.place_offer(seat, tile, Why::Discard);
    }

    fn called(&mut self, seat: Seat, meld: Meld) {
        let claimed = meld.claimed().expect("a call claims a tile").tile;
        let own = without(&meld.tiles().collect::<Vec<_>>(), &[claimed]);
        let holder = &mut self.holders[seat];
        holder.hand = without(&holder.hand, &own);
        holder.melds.push(meld);
        if meld.is_kan() {
            holder.waits = waits(&holder.hand);
            self.question = Question::Nothing;
            return self.kan_stands(seat);
        }
        self.interrupted(seat);
        let fits = |position: &ChiPosition| {
            let partners = position.partners(claimed.kind());
            partners.is_some_and(|partners| own.iter().all(|tile| partners.contains(&tile.kind())))
        };
        let position = ChiPosition::ALL.into_iter().find(fits).filter(|_| meld.is_sequence());
        self.forbidden = self.forbidden_after(claimed.kind(), position);
        self.question = Question::Turn(seat);
    }
}

impl Observer for Referee {
    fn event(&mut self, event: &Event) {
        if matches!(event, Event::Indicator { .. } | Event::HandEnd(_) | Event::GameEnd { .. }) {
            return;
        }
        assert!(self.asked().is_empty(), "the engine did not ask {:?} before {event:?}", self.asked());
        self.tile_passed();
        match event {
            Event::Deal { round, dealer, scores, hands, .. } => {
                (self.dealer, self.scores) = (*dealer, *scores);
                self.round_wind = Wind::of_round(u32::from(*round) / u32::from(self.players().count()));
                let tiles = if self.rules.kinds().len() == 27 { 108 } else { 136 };
                self.live = tiles - 14 - 13 * usize::from(self.players().count());
                for (seat, hand) in hands.enumerate() {
                    let holder = &mut self.holders[seat];
                    holder.hand = hand.iter().map(|tile| tile.expect("events show all tiles")).collect();
                    holder.waits = waits(&holder.hand);
                }
            }
            Event::Draw { seat, tile, replacement } => {
                self.drawn(*seat, tile.expect("events show all tiles"), *replacement);
            }
            Event::Discard { seat, tile, declare, .. } => {
                self.discarded(*seat, *tile);
                self.declared = *declare != Declare::Nothing;
            }
            Event::RiichiAccepted { seat } => {
                self.declared = false;
                self.scores[*seat] -= self.rules.riichi_stick;
                let double = self.uninterrupted && self.holders[*seat].discards == 1;
                self.holders[*seat].riichi = if double { Riichi::Double } else { Riichi::Single };
                // Calls were answered before; only an exhaustive draw can ask more.
                self.question = Question::Draw;
            }
            Event::Call { seat, meld } => self.called(*seat, *meld),
            Event::Ankan { seat, meld } => {
                self.take_in(*seat);
                let holder = &mut self.holders[*seat];
                holder.hand.retain(|tile| tile.kind() != meld.low());
                holder.melds.push(*meld);
                self.place_offer(*seat, Tile::plain(meld.low()), Why::Ankan);
            }
            Event::Kakan { seat, tile } => {
                self.take_in(*seat);
                let holder = &mut self.holders[*seat];
                holder.hand = without(&holder.hand, &[*tile]);
                if self.rules.kakan_tile_is_discard {
                    holder.river.push(tile.kind());
                }
                self.place_offer(*seat, *tile, Why::Kakan);
            }
            Event::Kita { seat } => {
                self.take_in(*seat);
                let north = Tile::plain(TileKind::NORTH);
                let holder = &mut self.holders[*seat];
                holder.hand = without(&holder.hand, &[north]);
                self.place_offer(*seat, north, Why::Kita);
            }
            Event::DeadHand { .. } => panic!("the referee knows no fouls"),
            Event::Indicator { .. } | Event::HandEnd(_) | Event::GameEnd { .. } => {}
        }
    }
}

fn is_furiten(holder: &Holder) -> bool {
    holder.missed || holder.missed_in_riichi || holder.waits.iter().any(|kind| holder.river.contains(kind))
}

fn discard(tile: Tile, declare: Declare) -> Action {
    Action::Discard { tile, declare }
}

fn count(tiles: &[Tile], kind: TileKind) -> usize {
    tiles.iter().filter(|tile| tile.kind() == kind).count()
}

fn tiles_of(tiles: &[Tile], kind: TileKind) -> Vec<Tile> {
    tiles.iter().copied().filter(|tile| tile.kind() == kind).collect()
}

fn with(tiles: &[Tile], tile: Tile) -> Vec<Tile> {
    tiles.iter().copied().chain([tile]).collect()
}

fn without(tiles: &[Tile], gone: &[Tile]) -> Vec<Tile> {
    let mut left = tiles.to_vec();
    for tile in gone {
        let index = left.iter().position(|t| t == tile).expect("a tile of the hand");
        left.swap_remove(index);
    }
    left
}

thread_local! {
    /// A cache of waits: few hands change from one line to the next.
    static KNOWN: RefCell<HashMap<Vec<Tile>, Vec<TileKind>>> = RefCell::default();
}

/// The waits of concealed tiles that lack one tile. A kind with four concealed copies is no wait.
fn waits(hand: &[Tile]) -> Vec<TileKind> {
    let completes = |kind: &TileKind| count(hand, *kind) < 4 && is_complete(&with(hand, Tile::plain(*kind)));
    let mut sorted = hand.to_vec();
    sorted.sort_unstable();
    let find = || TileKind::all().filter(completes).collect();
    KNOWN.with_borrow_mut(|known| known.entry(sorted).or_insert_with(find).clone())
}

fn is_complete(tiles: &[Tile]) -> bool {
    let kinds: Vec<usize> = TileKind::all().map(|kind| count(tiles, kind)).collect();
    let pairs = || kinds.iter().all(|copies| matches!(copies, 0 | 2));
    let orphan = |kind: &TileKind| kind.is_yaochuu();
    let orphans = || TileKind::all().all(|kind| orphan(&kind) == (kinds[kind.index()] > 0));
    tiles.len() == 14 && (pairs() || orphans()) || !set_readings(tiles).is_empty()
}

/// All ways to split tiles into sets and one pair. Lists the sets of each.
fn set_readings(tiles: &[Tile]) -> Vec<Vec<[TileKind; 3]>> {
    let mut copies: Vec<usize> = TileKind::all().map(|kind| count(tiles, kind)).collect();
    let mut readings = Vec::new();
    for pair in TileKind::all().filter(|kind| count(tiles, *kind) >= 2) {
        copies[pair.index()] -= 2;
        read_sets(&mut copies, &mut Vec::new(), &mut readings);
        copies[pair.index()] += 2;
    }
    readings
}

fn read_sets(copies: &mut [usize], sets: &mut Vec<[TileKind; 3]>, readings: &mut Vec<Vec<[TileKind; 3]>>) {
    let Some(low) = TileKind::all().find(|kind| copies[kind.index()] > 0) else {
        return readings.push(sets.clone());
    };
    let sequence = low.offset(1).zip(low.offset(2)).map(|(middle, high)| [low, middle, high]);
    for set in std::iter::once([low; 3]).chain(sequence) {
        let needed = |kind: &TileKind| set.iter().filter(|k| *k == kind).count();
        if set.iter().all(|kind| copies[kind.index()] >= needed(kind)) {
            set.iter().for_each(|kind| copies[kind.index()] -= 1);
            sets.push(set);
            read_sets(copies, sets, readings);
            sets.pop();
            set.iter().for_each(|kind| copies[kind.index()] += 1);
        }
    }
}
