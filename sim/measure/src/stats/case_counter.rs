//! Counts the cases of a conditional table in the events and decisions of replayed games.

use std::collections::BTreeMap;

use jantaku_engine::replay::Spectator;
use jantaku_engine::{
    Action, BySeat, Declare, Event, Observation, Observer, Outcome, Players, Rules, Seat, TileKind, TileSet,
};
use jantaku_sim::play::{AgentGroups, AllConcealed, EndFacts, HandInPlay};

use super::cases::{CaseChoice, CaseKey, Cases, Condition, MEASURES, action_of, class_of};

/// The cases of a unit: one game, or all games on the same wall.
#[derive(Clone, Default, Debug)]
pub(super) struct CaseUnit {
    /// Index 0 counts the hands, index n the games of n players.
    pub totals: [u64; 5],
    /// The number of cases of each key, and the sums of their measures.
    pub cells: BTreeMap<CaseKey, [i64; MEASURES]>,
}

/// Counts the cases of games, which are replayed one after another.
#[derive(Clone, Debug)]
pub(super) struct CaseCounter {
    choice: CaseChoice,
    unit: CaseUnit,
    agents: AgentGroups,
    kinds: TileSet,
    hand_in_play: HandInPlay,
    concealed: AllConcealed,
    players: BySeat<Player>,
    /// The copies of each kind that all players see.
    visible: [u8; 34],
    /// The cases of the latest discard, which players may still win on.
    offered: Vec<Offered>,
}

/// What is known of a player in the hand in play.
#[derive(Clone, Copy, Default, Debug)]
struct Player {
    /// The values of the conditions that are about one player.
    key: CaseKey,
    waits: TileSet,
    /// Kinds on which the player cannot win: their discards, and all discards since their riichi.
    safe: TileSet,
    /// Discards of each other seat since this player's riichi.
    since: [u16; 4],
    /// The key when the riichi was accepted. None without riichi.
    riichi: Option<CaseKey>,
}

/// A case of a discard while it is not yet known who wins on it. First the opponent and the key; None is
/// the case of the discard itself. Then whether the opponent is tenpai and waits for the tile; without an
/// opponent, whether the discarder is tenpai, and false.
type Offered = (Option<Seat>, CaseKey, [bool; 2]);

impl CaseUnit {
    /// Adds the cases of other games on the same wall.
    pub fn merge(&mut self, other: &CaseUnit) {
        self.totals.iter_mut().zip(other.totals).for_each(|(own, more)| *own += more);
        for (key, counts) in &other.cells {
            let own = self.cells.entry(*key).or_default();
            own.iter_mut().zip(counts).for_each(|(own, more)| *own += more);
        }
    }
}

impl CaseCounter {
    /// A counter of these cases.
    pub fn new(choice: &CaseChoice) -> CaseCounter {
        let players = Players::Four;
        CaseCounter {
            choice: choice.clone(),
            unit: CaseUnit::default(),
            agents: AgentGroups::default(),
            kinds: TileSet::ALL,
            hand_in_play: HandInPlay::new(players, 0),
            concealed: AllConcealed::new(players),
            players: BySeat::splat(players, Player::default()),
            visible: [0; 34],
            offered: Vec::new(),
        }
    }

    /// Begins a game under these rules, with these agents in the seats.
    pub fn start(&mut self, rules: &Rules, agents: AgentGroups) {
        (self.kinds, self.agents) = (rules.kinds(), agents);
        self.concealed = AllConcealed::new(rules.players);
        self.hand_in_play = HandInPlay::new(rules.players, rules.riichi_stick);
        self.unit.totals[usize::from(rules.players.count())] += 1;
    }

    /// The cases of the games since the last call.
    pub fn take(&mut self) -> CaseUnit {
        std::mem::take(&mut self.unit)
    }

    /// Adds a case if it is one of the table.
    fn add(&mut self, of: Cases, key: &CaseKey, measures: &[i64]) {
        if of != self.choice.of {
            return;
        }
        let mut kept = CaseKey::default();
        self.choice.by.iter().for_each(|by| kept[*by as usize] = key[*by as usize]);
        let counts = self.unit.cells.entry(kept).or_default();
        counts.iter_mut().zip([1].iter().chain(measures)).for_each(|(count, more)| *count += more);
    }

    fn deal(&mut self, dealer: Seat, seats: Players) {
        let concealed = &self.concealed;
        self.players = BySeat::from_fn(seats, |seat| {
            let hand = &concealed.hands()[seat];
            let mut key = CaseKey::default();
            key[Condition::Agent as usize] = self.agents[seat.index()].unwrap_or(0) as u16;
            key[Condition::Dealer as usize] = u16::from(seat == dealer);
            key[Condition::Shanten as usize] = hand.shanten(0).number() as u16;
            Player { key, waits: hand.waits(0), ..Player::default() }
        });
        self.visible = [0; 34];
        self.offered.clear();
    }

    /// Counts a discard, which the hand of the player no longer has.
    fn discard(&mut self, seat: Seat, kind: TileKind, tsumogiri: bool, declare: Declare) {
        let seats = self.players.players();
        let hand = &self.concealed.hands()[seat];
        let player = &mut self.players[seat];
        player.waits = hand.waits((13 - hand.len()) / 3);
        player.safe.insert(kind);
        // `Condition::text` says what each value of a condition means.
        let turn = player.key[Condition::Turn as usize];
        player.key[Condition::Turn as usize] = turn + 1;
        player.key[Condition::Tedashi as usize] = 1 + u16::from(tsumogiri);
        player.key[Condition::Early as usize] += u16::from(turn < 6 && !kind.is_yaochuu());
        player.key[Condition::Riichi as usize] |= u16::from(declare != Declare::Nothing);
        let (player, is_tenpai) = (*player, !player.waits.is_empty());
        let in_riichi = player.key[Condition::Riichi as usize];
        self.offered = vec![(None, player.key, [is_tenpai, false])];
        for other in seats.others(seat) {
            let opponent = &mut self.players[other];
            let mut key = opponent.key;
            key[Condition::Agent as usize] = player.key[Condition::Agent as usize];
            key[Condition::Class as usize] = class_of(kind, opponent.safe, self.visible[kind.index()]);
            key[Condition::Discarder as usize] = in_riichi + u16::from(is_tenpai || in_riichi > 0);
            if opponent.key[Condition::Riichi as usize] > 0 {
                opponent.since[seat.index()] += 1;
                opponent.safe.insert(kind);
            }
            key[Condition::AfterRiichi as usize] = opponent.since[seat.index()];
            self.offered.push((
                Some(other),
                key,
                [!opponent.waits.is_empty(), opponent.waits.contains(kind)],
            ));
        }
        self.visible[kind.index()] += 1;
        if self.choice.of == Cases::Tiles {
            for kind in self.kinds.iter() {
                let mut key = player.key;
                key[Condition::Class as usize] = class_of(kind, player.safe, self.visible[kind.index()]);
                self.add(Cases::Tiles, &key, &[i64::from(player.waits.contains(kind))]);
            }
        }
    }

    /// Counts the latest discard, once it is known who wins on it. `points` are those of each seat's win.
    fn settle(&mut self, points: &BySeat<Option<i32>>) {
        for (opponent, key, hand) in std::mem::take(&mut self.offered) {
            let [tenpai, waits] = hand.map(i64::from);
            let Some(opponent) = opponent else {
                let is_won = points.iter().any(Option::is_some);
                self.add(Cases::Discards, &key, &[tenpai, i64::from(is_won)]);
                continue;
            };
            let (is_won, points) = (points[opponent].is_some(), i64::from(points[opponent].unwrap_or(0)));
            self.add(Cases::Danger, &key, &[tenpai, waits, i64::from(is_won), points]);
            if is_won {
                self.add(Cases::DealIns, &key, &[points]);
            }
        }
    }

    fn end(&mut self, outcome: &Outcome) {
        self.unit.totals[0] += 1;
        let facts = self.hand_in_play.facts(outcome);
        let seats = self.players.players();
        let (points, discarder) = match &facts.end {
            EndFacts::Won { wins, discarder } => (wins.map(|win| win.map(|win| win.points)), *discarder),
            EndFacts::Draw { .. } => (BySeat::splat(seats, None), None),
        };
        let is_draw = matches!(facts.end, EndFacts::Draw { .. });
        // A tsumo or a chankan is no win on the latest discard: the draw before it has settled the discard.
        self.settle(&points);
        for seat in seats.seats() {
            let [win, deal_in] = [points[seat].is_some(), discarder == Some(seat)].map(i64::from);
            let measures = [win, deal_in, i64::from(is_draw), i64::from(facts.deltas[seat])];
            let Player { key, riichi, .. } = self.players[seat];
            self.add(Cases::Hands, &key, &measures);
            if let Some(key) = riichi {
                self.add(Cases::Riichi, &key, &measures);
            }
        }
    }

    /// Tiles of this kind become visible to all players.
    fn show(&mut self, kind: TileKind, copies: u8) {
        self.visible[kind.index()] += copies;
    }
}

impl Observer for CaseCounter {
    fn event(&mut self, event: &Event) {
        self.hand_in_play.event(event);
        self.concealed.event(event);
        if matches!(event, Event::Draw { .. } | Event::Call { .. }) {
            self.settle(&BySeat::splat(self.players.players(), None));
        }
        match event {
            Event::Deal { dealer, indicator, hands, .. } => {
                self.deal(*dealer, hands.players());
                indicator.iter().for_each(|tile| self.show(tile.kind(), 1));
            }
            Event::Discard { seat, tile, tsumogiri, declare } => {
                self.discard(*seat, tile.kind(), *tsumogiri, *declare);
            }
            Event::RiichiAccepted { seat } => {
                let is_following = self.players.iter().any(|player| player.riichi.is_some());
                let mut key = self.players[*seat].key;
                key[Condition::Order as usize] = u16::from(is_following);
                self.players[*seat].riichi = Some(key);
            }
            Event::Call { seat, meld } => {
                self.players[*seat].key[Condition::Melds as usize] += 1;
                meld.tiles().for_each(|tile| self.show(tile.kind(), 1));
                // The claimed tile was counted as a discard.
                meld.claimed().iter().for_each(|claimed| self.visible[claimed.tile.kind().index()] -= 1);
            }
            Event::Ankan { meld, .. } => self.show(meld.low(), 4),
            Event::Kakan { tile, .. } | Event::Indicator { tile } => self.show(tile.kind(), 1),
            Event::Kita { .. } => self.show(TileKind::NORTH, 1),
            Event::HandEnd(outcome) => self.end(outcome),
            Event::Draw { .. } | Event::DeadHand { .. } | Event::GameEnd { .. } => {}
        }
    }
}

impl Spectator for CaseCounter {
    fn decision(&mut self, o: &Observation<'_>, action: Action) {
        let mut key = self.players[o.seat()].key;
        key[Condition::Phase as usize] = (o.phase() as u16).min(4);
        key[Condition::Action as usize] = action_of(action);
        self.add(Cases::Decisions, &key, &[]);
    }
}
