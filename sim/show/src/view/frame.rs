//! The table at one moment.

use jantaku_engine::{
    BySeat, Concealed, Declare, Discard, Event, Meld, Observation, Phase, Riichi, Round, Rules, Seat,
    Shanten, Tile, TileKind, Wall,
};
use serde_json::{Value, json};

use crate::meld_layout::{Laid, Pose, lay, steps_right};
use crate::text::{discard, list};

/// The table at one moment, with everything that a page shows of it.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Frame {
    rules: Rules,
    live: u8,
    sticks: u16,
    indicators: Vec<Tile>,
    /// The player who drew, called or discarded last.
    turn: Seat,
    sides: BySeat<Side>,
}

/// What a page shows of one player.
#[derive(Clone, PartialEq, Debug)]
struct Side {
    held: Held,
    /// The tile just drawn.
    drawn: Option<Tile>,
    melds: Vec<Vec<Laid>>,
    river: Vec<Discard>,
    norths: u8,
    score: i32,
    riichi: bool,
    is_dead: bool,
    /// Whether the player let a winning tile pass and is furiten for it.
    missed: bool,
}

/// The concealed tiles of a player.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Held {
    /// The tiles without the one just drawn.
    Open(Concealed),
    /// The number of hidden tiles without the one just drawn, and whether there is such a tile.
    Hidden { count: usize, drew: bool },
}

impl Side {
    /// Draws a tile. A hidden hand draws a hidden one.
    const fn draw(&mut self, tile: Option<Tile>) {
        match &mut self.held {
            Held::Open(_) => self.drawn = tile,
            Held::Hidden { drew, .. } => *drew = true,
        }
    }

    /// Takes the drawn tile into the hand, and then these tiles out of it.
    fn take_out(&mut self, tiles: impl IntoIterator<Item = Tile>) {
        let drawn = self.drawn.take();
        match &mut self.held {
            Held::Open(hand) => {
                drawn.into_iter().for_each(|tile| hand.add(tile));
                tiles.into_iter().for_each(|tile| hand.remove(tile));
            }
            Held::Hidden { count, drew } => {
                let held = *count + usize::from(std::mem::take(drew));
                *count = held.saturating_sub(tiles.into_iter().count());
            }
        }
    }

    /// Puts a tile on the pon of its kind.
    fn add_to_pon(&mut self, tile: Tile) {
        let is_pon = |meld: &&mut Vec<Laid>| {
            meld.len() == 3 && meld.iter().all(|laid| laid.tile.kind() == tile.kind())
        };
        let pon = self.melds.iter_mut().find(is_pon).expect("a kakan adds its tile to a pon");
        let turned = pon.iter().position(|laid| laid.pose == Pose::Sideways);
        let place = turned.expect("a tile of a pon was claimed") + 1;
        pon.insert(place, Laid { tile, pose: Pose::OnTop });
    }

    /// The tiles of the melds.
    fn melded(&self) -> impl Iterator<Item = Tile> {
        self.melds.iter().flatten().map(|laid| laid.tile)
    }
}

impl Frame {
    /// The table after this deal. None for another event. Later tables follow with [`Frame::apply`].
    pub(super) fn deal(event: &Event, rules: &Rules) -> Option<Frame> {
        let Event::Deal { sticks, dealer, scores, indicator, hands, .. } = event else { return None };
        let side = |seat| Side {
            held: match hands[seat] {
                hidden if hidden.contains(&None) => Held::Hidden { count: hidden.len(), drew: false },
                tiles => Held::Open(tiles.into_iter().flatten().collect()),
            },
            drawn: None,
            melds: Vec::new(),
            river: Vec::new(),
            norths: 0,
            score: scores[seat],
            riichi: false,
            is_dead: false,
            missed: false,
        };
        Some(Frame {
            rules: *rules,
            // Every wall under these rules has as many live tiles.
            live: Wall::of_hand(0, 0, 0, 0, rules).live(),
            sticks: *sticks,
            indicators: indicator.iter().copied().collect(),
            turn: *dealer,
            sides: BySeat::from_fn(rules.players, side),
        })
    }

    /// The table as one player sees it.
    pub(super) fn seen(o: &Observation<'_>) -> Frame {
        let players = o.rules().players;
        let side = |seat: Seat| {
            let table = o.side(seat);
            let acts = o.turn() == seat && o.phase() == Phase::Turn;
            // In their turn, a player has one tile more: a drawn one, or one to discard after a call.
            let hidden = 13 - 3 * table.melds().len() + usize::from(acts);
            let is_own = seat == o.seat();
            let from = |from| steps_right(seat, from, players);
            Side {
                held: if is_own {
                    Held::Open(*o.hand())
                } else {
                    Held::Hidden { count: hidden, drew: false }
                },
                drawn: o.drawn().filter(|_| is_own),
                melds: table.melds().iter().map(|m| lay(*m, m.claimed().map(|c| from(c.from)))).collect(),
                river: o.discards().of(seat).collect(),
                norths: table.norths(),
                score: o.scores()[seat],
                riichi: table.riichi() != Riichi::None,
                is_dead: table.is_dead(),
                missed: is_own && o.is_furiten(),
            }
        };
        Frame {
            rules: *o.rules(),
            live: o.live(),
            sticks: o.sticks(),
            indicators: o.indicators().to_vec(),
            turn: o.turn(),
            sides: BySeat::from_fn(players, side),
        }
    }

    /// Applies the next event of the hand.
    pub(super) fn apply(&mut self, event: &Event) {
        match event {
            Event::Deal { .. } => {}
            Event::Draw { seat, tile, .. } => {
                self.live = self.live.saturating_sub(1);
                self.turn = *seat;
                self.sides[*seat].draw(*tile);
            }
            Event::Discard { seat, tile, tsumogiri, declare } => {
                self.turn = *seat;
                let side = &mut self.sides[*seat];
                side.take_out([*tile]);
                side.missed &= side.riichi;
                let riichi = *declare != Declare::Nothing;
                let (seat, tile, tsumogiri) = (*seat, *tile, *tsumogiri);
                side.river.push(Discard { seat, tile, tsumogiri, riichi, claimed_by: None });
            }
            Event::RiichiAccepted { seat } => {
                self.sticks += 1;
                let side = &mut self.sides[*seat];
                (side.riichi, side.score) = (true, side.score - self.rules.riichi_stick);
            }
            Event::Call { seat, meld } | Event::Ankan { seat, meld } => self.meld(*seat, *meld),
            Event::Kakan { seat, tile } => {
                let side = &mut self.sides[*seat];
                side.take_out([*tile]);
                side.add_to_pon(*tile);
            }
            Event::Kita { seat } => {
                let side = &mut self.sides[*seat];
                side.take_out([Tile::plain(TileKind::NORTH)]);
                side.norths += 1;
            }
            Event::DeadHand { seat } => self.sides[*seat].is_dead = true,
            Event::Indicator { tile } => self.indicators.push(*tile),
            Event::HandEnd(outcome) => {
                self.sticks = outcome.sticks;
                self.sides.iter_mut().zip(&outcome.deltas).for_each(|(side, points)| side.score += points);
            }
            Event::GameEnd { scores, .. } => {
                self.sticks = 0;
                self.sides.iter_mut().zip(scores).for_each(|(side, points)| side.score = *points);
            }
        }
    }

    /// Adds the meld of a call or an ankan: takes its tiles out of the hand, and marks the claimed discard.
    fn meld(&mut self, seat: Seat, meld: Meld) {
        let claimed = meld.claimed();
        if let Some(last) = claimed.and_then(|claimed| self.sides[claimed.from].river.last_mut()) {
            last.claimed_by = Some(seat);
        }
        let mut own: Vec<Tile> = meld.tiles().collect();
        if let Some(at) = own.iter().position(|tile| claimed.is_some_and(|claimed| claimed.tile == *tile)) {
            own.remove(at);
        }
        self.turn = seat;
        let from = claimed.map(|claimed| steps_right(seat, claimed.from, self.rules.players));
        let side = &mut self.sides[seat];
        side.take_out(own);
        side.melds.push(lay(meld, from));
    }

    /// Takes furiten over from the round. Furiten by passed tiles does not follow from the events
    /// alone.
    pub(super) fn note_furiten(&mut self, round: &Round) {
        for seat in self.rules.players.seats() {
            self.sides[seat].missed = round.observe(seat).is_furiten();
        }
    }

    /// Shows the concealed tiles of a player as they are in another frame of the same moment.
    pub(super) fn show_hand(&mut self, seat: Seat, whole: &Frame) {
        let (shown, known) = (&mut self.sides[seat], &whole.sides[seat]);
        (shown.held, shown.drawn) = (known.held, known.drawn);
    }

    /// The points that a player paid for riichi in this hand.
    pub(super) fn paid_for_riichi(&self, seat: Seat) -> i32 {
        if self.sides[seat].riichi { self.rules.riichi_stick } else { 0 }
    }

    /// Copies of a kind that a player does not see.
    fn unseen(&self, seat: Seat, kind: TileKind) -> usize {
        let own = match &self.sides[seat].held {
            Held::Open(hand) => hand.count(kind),
            Held::Hidden { .. } => 0,
        };
        let is_unclaimed = |discard: &&Discard| discard.claimed_by.is_none();
        let rivers =
            self.sides.iter().flat_map(|side| side.river.iter().filter(is_unclaimed).map(|d| d.tile));
        let melds = self.sides.iter().flat_map(Side::melded);
        let norths: u8 = self.sides.iter().map(|side| side.norths).sum();
        let norths = if kind == TileKind::NORTH { usize::from(norths) } else { 0 };
        let open = rivers.chain(melds).chain(self.indicators.iter().copied()).chain(self.sides[seat].drawn);
        let open = open.filter(|tile| tile.kind() == kind).count();
        4_usize.saturating_sub(own + open + norths)
    }

    /// The frame as an object. Tiles are separated by spaces.
    ///
    /// Rivers have the marks of positions: `r` riichi, `*` tsumogiri, `'` claimed. In melds, `-`
    /// marks a tile on its side and `=` one above the tile before it. `xx` is a hidden tile.
    pub(super) fn to_json(&self) -> Value {
        let seats = self.sides.enumerate().map(|(seat, side)| (seat.to_string(), self.side(seat, side)));
        json!({
            "live": self.live,
            "sticks": self.sticks,
            "indicators": list(&self.indicators),
            "turn": self.turn,
            "seats": seats.collect::<serde_json::Map<_, _>>(),
        })
    }

    /// What a page shows of a player, as an object.
    fn side(&self, seat: Seat, side: &Side) -> Value {
        let drawn = side.drawn.map_or_else(String::new, |tile| tile.to_string());
        let (hand, drawn) = match side.held {
            Held::Open(hand) => (list(hand.tiles()), drawn),
            Held::Hidden { count, drew } => {
                (list(vec!["xx"; count]), if drew { "xx".to_owned() } else { drawn })
            }
        };
        let (shanten, waits) = self.shanten(seat, side);
        let is_discarded = |kind: TileKind| side.river.iter().any(|discard| discard.tile.kind() == kind);
        let is_furiten =
            !waits.is_empty() && (side.missed || waits.iter().any(|(kind, _)| is_discarded(*kind)));
        json!({
            "hand": hand,
            "drawn": drawn,
            "melds": side.melds.iter().map(|meld| laid_text(meld)).collect::<Vec<_>>(),
            "river": list(side.river.iter().map(|entry| discard(*entry))),
            "norths": side.norths,
            "score": side.score,
            "riichi": side.riichi,
            "dead": side.is_dead,
            "shanten": shanten,
            "waits": list(waits.iter().map(|(kind, left)| format!("{kind}:{left}"))),
            "furiten": is_furiten,
        })
    }

    /// The shanten of an open hand, and the waits of its tiles without the drawn one, each with the
    /// copies that the player does not see.
    fn shanten(&self, seat: Seat, side: &Side) -> (Option<i8>, Vec<(TileKind, usize)>) {
        let Held::Open(hand) = side.held else { return (None, Vec::new()) };
        let melds = side.melds.len();
        let mut whole = hand;
        side.drawn.into_iter().for_each(|tile| whole.add(tile));
        let shanten = whole.shanten(melds).number();
        if hand.len() % 3 != 1 || hand.shanten(melds) != Shanten::TENPAI {
            return (Some(shanten), Vec::new());
        }
        let waits = hand.waits(melds).iter().filter(|kind| self.rules.kinds().contains(*kind));
        (Some(shanten), waits.map(|kind| (kind, self.unseen(seat, kind))).collect())
    }
}

fn laid_text(meld: &[Laid]) -> String {
    let tile = |laid: &Laid| match laid.pose {
        Pose::Upright => laid.tile.to_string(),
        Pose::Sideways => format!("{}-", laid.tile),
        Pose::OnTop => format!("{}=", laid.tile),
        Pose::FaceDown => "xx".to_owned(),
    };
    list(meld.iter().map(tile))
}
