//! Positions as TOML, and from the events of a hand.

use super::read::{File, PlayerTable};
use super::text::{meld_text, river_text, tiles_text};
use super::{Declared, Dropped, Held, Places, PlayerSetup, Position, RiverEntry};
use crate::event::Event;
use crate::rules::Rules;
use crate::{BySeat, Declare, Meld, MeldKind, Seat, Tile, TileKind, Wind};

impl Position {
    /// The position after these events, for a decision of one player. The events begin with
    /// [`Event::Deal`].
    ///
    /// The position has the hands whose tiles the events show. Mask the events
    /// ([`Event::seen_by`]) for the view of the player. Each kan and kita has an entry in the river.
    /// `rules_name` is what [`Position::to_toml`] writes: a preset, or a file that holds the rules.
    ///
    /// None if the events do not begin with a deal or do not fit together, if they contain a dead hand or the
    /// end of the hand, or if they do not show the tiles of this player.
    pub fn seen(rules: &Rules, rules_name: &str, events: &[Event], seat: Seat) -> Option<Position> {
        let Event::Deal { round, honba, sticks, scores, indicator, hands, .. } = events.first()? else {
            return None;
        };
        let mut position = Position {
            rules_name: rules_name.to_owned(),
            rules: *rules,
            round: *round,
            honba: *honba,
            sticks: *sticks,
            indicators: indicator.iter().copied().collect(),
            seat,
            live: None,
            turn: None,
            players: BySeat::from_fn(rules.players, |_| PlayerSetup::default()),
            places: Places::default(),
        };
        scores.enumerate().for_each(|(seat, points)| position.players[seat].score = Some(*points));
        for (owner, tiles) in hands.enumerate() {
            let tiles: Option<Vec<Tile>> = tiles.iter().copied().collect();
            position.players[owner].hand = tiles.map(|tiles| Held { tiles, drawn: None });
        }
        for event in &events[1..] {
            position.add(event)?;
        }
        for held in position.players.iter_mut().filter_map(|player| player.hand.as_mut()) {
            held.tiles.sort_by_key(|tile| (tile.kind(), !tile.is_red()));
        }
        position.players[seat].hand.is_some().then_some(position)
    }

    /// Adds an event. None if it does not fit.
    fn add(&mut self, event: &Event) -> Option<()> {
        match event {
            Event::Draw { seat, tile, .. } => {
                if let Some(held) = &mut self.players[*seat].hand {
                    held.tiles.extend(held.drawn.take());
                    held.drawn = Some((*tile)?);
                }
            }
            Event::Discard { seat, tile, tsumogiri, declare } => {
                let player = &mut self.players[*seat];
                player.take(*tile, *tsumogiri)?;
                let riichi = *declare != Declare::Nothing;
                let dropped = Dropped { tile: *tile, tsumogiri: *tsumogiri, riichi, claimed: false };
                player.river.push(RiverEntry::Discard(dropped));
            }
            Event::RiichiAccepted { seat } => {
                *self.players[*seat].score.as_mut()? -= self.rules.riichi_stick;
            }
            Event::Call { seat, meld } => {
                let claimed = meld.claimed()?;
                let river = &mut self.players[claimed.from].river;
                let Some(RiverEntry::Discard(dropped)) = river.last_mut() else { return None };
                dropped.claimed = true;
                let declared = Declared { meld: *meld, added: None };
                let player = &mut self.players[*seat];
                declared.hand_tiles().into_iter().try_for_each(|tile| player.take(tile, false))?;
                player.melds.push(declared);
            }
            Event::Ankan { seat, meld } => {
                let player = &mut self.players[*seat];
                meld.tiles().try_for_each(|tile| player.take(tile, false))?;
                player.melds.push(Declared { meld: *meld, added: None });
                player.river.push(RiverEntry::Kan(meld.low()));
            }
            Event::Kakan { seat, tile } => {
                let player = &mut self.players[*seat];
                player.take(*tile, false)?;
                let is_pon = |meld: Meld| meld.kind() == MeldKind::Pon && meld.low() == tile.kind();
                let pon = player.melds.iter_mut().find(|declared| is_pon(declared.meld))?;
                *pon = Declared { meld: pon.meld.with_added(*tile), added: Some(*tile) };
                player.river.push(RiverEntry::Kan(tile.kind()));
            }
            Event::Kita { seat } => {
                let player = &mut self.players[*seat];
                player.take(Tile::plain(TileKind::NORTH), false)?;
                player.kita += 1;
                player.river.push(RiverEntry::Kita);
            }
            Event::Indicator { tile } => self.indicators.push(*tile),
            Event::Deal { .. } | Event::DeadHand { .. } | Event::HandEnd(_) | Event::GameEnd { .. } => {
                return None;
            }
        }
        Some(())
    }

    /// The position as TOML for [`Position::from_toml`].
    ///
    /// # Panics
    ///
    /// Never: every position has a form in TOML.
    pub fn to_toml(&self) -> String {
        let players = self.rules.players;
        let count = u16::from(players.count());
        let wind = Wind::of_round((self.round / count).into());
        let mut tables = players.seats_from(self.dealer()).map(|seat| self.player_table(seat));
        let file = File {
            rules: Some(self.rules_name.clone()),
            round: Some(format!("{}{}", wind.letter(), self.round % count + 1)),
            honba: self.honba,
            sticks: self.sticks,
            indicators: non_empty(tiles_text(self.indicators.iter().copied())),
            dora: None,
            seat: self.name(self.seat).to_owned(),
            live: self.live,
            turn: self.turn,
            east: tables.next(),
            south: tables.next(),
            west: tables.next(),
            north: tables.next(),
        };
        toml::to_string(&file).expect("every position has a form in TOML")
    }

    fn player_table(&self, seat: Seat) -> PlayerTable {
        let PlayerSetup { score, river, melds, kita, hand } = &self.players[seat];
        let melds = melds.iter().map(|declared| meld_text(*declared, seat, self.rules.players));
        let hand_text = |Held { tiles, drawn }: &Held| {
            let drawn = drawn.map_or_else(String::new, |tile| format!("+{tile}"));
            tiles_text(tiles.iter().copied()) + &drawn
        };
        PlayerTable {
            score: *score,
            river: non_empty(river_text(river)),
            melds: non_empty(melds.collect::<Vec<_>>().join(" ")),
            kita: Some(*kita).filter(|kita| *kita > 0),
            hand: hand.as_ref().map(hand_text),
        }
    }
}

/// The text. None if it is empty.
fn non_empty(text: String) -> Option<String> {
    Some(text).filter(|text| !text.is_empty())
}

impl PlayerSetup {
    /// Takes a tile out of the hand. A hidden hand stays as it is. None if a shown hand lacks the tile, or if
    /// `is_drawn` and the tile is not the one just drawn.
    fn take(&mut self, tile: Tile, is_drawn: bool) -> Option<()> {
        let Some(held) = &mut self.hand else { return Some(()) };
        let drawn = held.drawn.take();
        if is_drawn {
            return drawn.filter(|drawn| *drawn == tile).map(|_| ());
        }
        held.tiles.extend(drawn);
        let at = held.tiles.iter().position(|other| *other == tile)?;
        held.tiles.swap_remove(at);
        Some(())
    }
}
