//! Adds up the luck of a game from its events.

use std::sync::LazyLock;

use jantaku_agents::{Params, PlacementModel};
use jantaku_engine::random::hash;
use jantaku_engine::replay::Spectator;
use jantaku_engine::{
    BySeat, Event, HandEnd, Observer, Players, Rng, Rules, Seat, Tile, TileKind, TileSet, WonHand,
};

use super::game::GameVariate;
use super::numbers::{RON_NOW, TSUMO_NOW};
use super::payoffs::{HandStart, NO_VALUE, QUANTITIES, Stakes, Values, add};
use super::view::View;
use super::win_odds::{Class, InTurn, Outlook, Style, Waiting, holder};

/// The number of random deals that estimate the expected value before a deal.
const DEALS: usize = 32;

/// Names the stream of random deals.
const STREAM: u64 = 0x6c75_636b;

/// The luck of each seat in a game, from its events.
///
/// Each deal, draw and new indicator adds the value after it, minus the expected value before it.
/// The value function sees all hands and the hidden tiles, but not their order, so the expected
/// luck is 0 for all players and all value functions.
#[derive(Clone, Debug)]
pub struct ControlVariate<'a> {
    rules: &'a Rules,
    seed: u64,
    model: &'static PlacementModel,
    view: View,
    start: HandStart,
    stakes: Box<Stakes>,
    total: [[f64; 4]; QUANTITIES],
}

impl<'a> ControlVariate<'a> {
    /// Before the first deal of a game.
    pub fn new(rules: &'a Rules, seed: u64) -> ControlVariate<'a> {
        ControlVariate {
            rules,
            seed,
            model: placements(rules.players),
            view: View::new(rules),
            start: HandStart {
                round: 0,
                honba: 0,
                sticks: 0,
                dealer: Seat::FIRST,
                scores: BySeat::splat(rules.players, rules.start_points),
            },
            stakes: Stakes::new(),
            total: [[0.0; 4]; QUANTITIES],
        }
    }

    /// The luck so far: in placements, result and points, for each seat.
    pub const fn total(&self) -> &[[f64; 4]; QUANTITIES] {
        &self.total
    }

    /// The luck of the whole game, in the units of [`GameVariate::UNITS`].
    pub fn rounded(&self) -> GameVariate {
        GameVariate::rounded(&self.total, self.rules.players)
    }

    fn add(&mut self, luck: &[[f64; 4]; QUANTITIES]) {
        for (total, luck) in self.total.iter_mut().flatten().zip(luck.iter().flatten()) {
            *total += luck;
        }
    }

    fn compute_stakes(&mut self) {
        self.stakes.compute(self.rules, self.model, &self.start);
    }

    /// Adds the luck of a draw.
    fn draw(&mut self, seat: Seat, tile: Tile) {
        let draws = Draws::new(&self.view, &self.stakes, seat);
        let mut outcomes = Outcomes::default();
        let mut actual = NO_VALUE;
        for kind in self.view.hidden_kinds.kinds().iter() {
            let after = draws.after(kind);
            let red = TileSet::FIVES.contains(kind).then(|| Tile::red(kind.suit()));
            for hidden in std::iter::once(Tile::plain(kind)).chain(red) {
                let copies = self.view.hidden[hidden.index()];
                if copies == 0 {
                    continue;
                }
                let value = draws.value(kind, &after, hidden);
                outcomes.add(copies, &value);
                if hidden == tile {
                    actual = value;
                }
            }
        }
        self.add(&outcomes.luck(&actual));
    }

    /// Adds the luck of a new indicator.
    fn indicator(&mut self, tile: Tile) {
        let (view, waiting) = (&self.view, waiting(&self.view));
        let value = |kind: TileKind| {
            value_at_rest(&self.stakes, &waiting, |seat| {
                Class::of(Style::of(&view.places[seat]), view.dora(seat) + view.dora_by(seat, kind))
            })
        };
        let mut outcomes = Outcomes::default();
        for kind in view.hidden_kinds.kinds().iter() {
            outcomes.add(view.hidden_kinds.of(kind), &value(kind));
        }
        let luck = outcomes.luck(&value(tile.kind()));
        self.add(&luck);
    }

    /// Adds the luck of the ura dora. Each indicator is valued as if it were the last one.
    ///
    /// The values use the winners' numbers of dora, not their scores, because ura dora can change
    /// which reading of a hand scores highest.
    fn ura(&mut self, wins: &[WonHand]) {
        let most = wins.iter().max_by_key(|win| win.ura_indicators.len());
        let indicators = most.map_or(&[][..], |win| &win.ura_indicators);
        let mut hidden = self.view.hidden;
        let mut ura_dora = BySeat::splat(self.view.players, 0);
        for indicator in indicators {
            let value = |tile: Tile| {
                let mut value = NO_VALUE;
                for win in wins.iter().filter(|win| !win.ura_indicators.is_empty()) {
                    let dora = ura_dora[win.winner] + self.dora_of_winner(win, tile.kind());
                    add(&mut value, 1.0, self.value_of_win(win, dora));
                }
                value
            };
            let mut outcomes = Outcomes::default();
            for tile in Tile::all().filter(|tile| hidden[tile.index()] > 0) {
                outcomes.add(hidden[tile.index()], &value(tile));
            }
            let luck = outcomes.luck(&value(*indicator));
            hidden[indicator.index()] -= 1;
            for win in wins {
                ura_dora[win.winner] += self.dora_of_winner(win, indicator.kind());
            }
            self.add(&luck);
        }
    }

    /// The dora that an indicator adds to a winner's hand, with the winning tile.
    fn dora_of_winner(&self, win: &WonHand, indicator: TileKind) -> usize {
        let is_dora = win.from.is_some() && self.view.dora_of(indicator) == win.tile.kind();
        self.view.dora_by(win.winner, indicator) + usize::from(is_dora)
    }

    /// The value of a win with this many ura dora.
    fn value_of_win(&self, win: &WonHand, ura: usize) -> &Values {
        let of_tile = if win.from.is_some() { self.view.dora_in(win.tile) } else { 0 };
        let dora = self.view.dora(win.winner) + of_tile + ura;
        let class = Class::of(Style::of(&self.view.places[win.winner]), dora);
        match win.from {
            Some(from) => self.stakes.ron_value(win.winner, from, class),
            None => self.stakes.tsumo_value(win.winner, class),
        }
    }

    /// Adds the luck of the deal, whose expected value random deals estimate.
    fn deal(&mut self) {
        let start = self.start;
        let actual = value_of_deal(&self.view, &self.stakes);
        let mut outcomes = Outcomes::default();
        let mut view = self.view.clone();
        let mut tiles = view.set();
        let name = [self.seed, u64::from(start.round), u64::from(start.honba), STREAM];
        let mut rng = Rng::new(hash(&name));
        let players = view.players;
        let needed = 13 * usize::from(players.count()) + 1;
        for _ in 0..DEALS {
            // Shuffles as many tiles as are needed: the indicator, and then the hands.
            for at in 0..needed {
                let other = at + rng.below(tiles.len() - at);
                tiles.swap(at, other);
            }
            let hands = BySeat::from_fn(players, |seat| {
                std::array::from_fn(|at| Some(tiles[1 + 13 * seat.index() + at]))
            });
            view.deal(&hands, self.rules.dora.then(|| tiles[0]));
            outcomes.add(1, &value_of_deal(&view, &self.stakes));
        }
        self.add(&outcomes.luck(&actual));
    }
}

/// The released model of placements.
fn placements(players: Players) -> &'static PlacementModel {
    static FOUR: LazyLock<PlacementModel> = LazyLock::new(|| Params::released().placements(Players::Four));
    static THREE: LazyLock<PlacementModel> = LazyLock::new(|| Params::released().placements(Players::Three));
    if players == Players::Three { &THREE } else { &FOUR }
}

/// The outcomes of a chance event.
#[derive(Default)]
struct Outcomes {
    /// The sum of their values.
    sum: [[f64; 4]; QUANTITIES],
    /// Their number. Equal tiles count separately.
    count: f64,
}

impl Outcomes {
    /// Adds equal outcomes with this value.
    fn add(&mut self, copies: impl Into<f64>, value: &Values) {
        let copies = copies.into();
        for (sum, value) in self.sum.iter_mut().flatten().zip(value.iter().flatten()) {
            *sum += copies * f64::from(*value);
        }
        self.count += copies;
    }

    /// The luck of the outcome with this value: the value minus the mean of all.
    fn luck(mut self, value: &Values) -> [[f64; 4]; QUANTITIES] {
        for (sum, value) in self.sum.iter_mut().flatten().zip(value.iter().flatten()) {
            *sum = f64::from(*value) - *sum / self.count;
        }
        self.sum
    }
}

fn value_of_deal(view: &View, stakes: &Stakes) -> Values {
    value_at_rest(stakes, &waiting(view), |seat| class_of(view, seat))
}

fn class_of(view: &View, seat: Seat) -> Class {
    Class::of(Style::of(&view.places[seat]), view.dora(seat))
}

/// The prospects of the seats that are not about to discard.
fn waiting(view: &View) -> Vec<(Seat, Waiting)> {
    let at_rest = view.players.seats().filter(|seat| view.places[*seat].hand.len() % 3 == 1);
    at_rest.map(|seat| (seat, Waiting::of(view, seat))).collect()
}

/// The expected value of a hand in which no seat is about to discard. `class` is that of each seat.
fn value_at_rest(stakes: &Stakes, waiting: &[(Seat, Waiting)], class: impl Fn(Seat) -> Class) -> Values {
    // A drawn hand has the weight 1 and the value 0.
    let (mut value, mut weights) = (NO_VALUE, 1.0);
    for (seat, waiting) in waiting {
        let weight = waiting.outlook.weight();
        weights += weight;
        add(&mut value, weight, stakes.win_value(*seat, class(*seat)));
    }
    value.iter_mut().flatten().for_each(|value| *value /= weights);
    value
}

/// The draws that a seat can make next.
struct Draws<'a> {
    view: &'a View,
    stakes: &'a Stakes,
    seat: Seat,
    own: Waiting,
    own_dora: usize,
    others: Vec<Other>,
}

/// Another seat, while one draws.
struct Other {
    seat: Seat,
    waiting: Waiting,
    class: Class,
    /// The odds of its win if the drawn tile would not lower its shanten, and if it would.
    weights: [f32; 2],
}

impl<'a> Draws<'a> {
    fn new(view: &'a View, stakes: &'a Stakes, seat: Seat) -> Draws<'a> {
        let other = |seat: Seat| {
            let waiting = Waiting::of(view, seat);
            let Outlook { tiles, held, .. } = waiting.outlook;
            let less = Outlook { tiles: tiles.saturating_sub(1), held: held + 1, ..waiting.outlook };
            let weights = [waiting.outlook.weight(), less.weight()];
            Other { seat, waiting, class: class_of(view, seat), weights }
        };
        let (own, own_dora) = (Waiting::of(view, seat), view.dora(seat));
        Draws { view, stakes, seat, own, own_dora, others: view.players.others(seat).map(other).collect() }
    }

    fn after(&self, kind: TileKind) -> InTurn {
        InTurn::after(self.view, self.seat, &self.own, kind)
    }

    /// The value after the seat has drawn this tile: an immediate win, or the hand continues.
    fn value(&self, kind: TileKind, after: &InTurn, tile: Tile) -> Values {
        let place = &self.view.places[self.seat];
        let style = Style::of(place);
        let class = Class::of(style, self.own_dora + self.view.dora_in(tile));
        let own_weight = after.outlook.weight();
        let mut weights = 1.0 + own_weight;
        let mut value = NO_VALUE;
        add(&mut value, own_weight, self.stakes.win_value(self.seat, class));
        for other in &self.others {
            let weight = other.weights[usize::from(other.waiting.distance.ukeire.contains(kind))];
            weights += weight;
            add(&mut value, weight, self.stakes.win_value(other.seat, other.class));
        }
        // The chance that nobody wins at once.
        let mut rest = 1.0;
        let mut now = NO_VALUE;
        if after.is_complete {
            let chance = TSUMO_NOW[style as usize];
            add(&mut now, chance, self.stakes.tsumo_value(self.seat, class));
            rest -= chance;
        } else {
            for other in self.others.iter().filter(|other| other.waiting.wins_on(kind)) {
                let winner = Style::of(&self.view.places[other.seat]);
                let chance = rest * RON_NOW[holder(place, after)][winner as usize];
                add(&mut now, chance, self.stakes.ron_value(other.seat, self.seat, other.class));
                rest -= chance;
            }
        }
        add(&mut now, rest / weights, &value);
        now
    }
}

impl Observer for ControlVariate<'_> {
    fn event(&mut self, event: &Event) {
        // The luck of a draw or an indicator needs the view before it, that of a deal the view after it.
        match event {
            Event::Draw { seat, tile: Some(tile), .. } => self.draw(*seat, *tile),
            Event::Indicator { tile } => self.indicator(*tile),
            Event::Deal { round, honba, sticks, dealer, scores, .. } => {
                self.start = HandStart {
                    round: *round,
                    honba: *honba,
                    sticks: *sticks,
                    dealer: *dealer,
                    scores: *scores,
                };
                self.compute_stakes();
            }
            Event::RiichiAccepted { seat } => {
                self.start.sticks += 1;
                self.start.scores[*seat] -= self.rules.riichi_stick;
                self.compute_stakes();
            }
            Event::HandEnd(outcome) => {
                if let HandEnd::Win(wins) = &outcome.end {
                    self.ura(wins);
                }
            }
            _ => {}
        }
        self.view.event(event);
        if matches!(event, Event::Deal { .. }) {
            self.deal();
        }
    }
}

impl Spectator for ControlVariate<'_> {}
