//! Positions as TOML, and from the events of a hand.

use std::fmt::Write as _;

use super::text::{meld_text, river_text, tiles_text};
use super::{Declared, Dropped, Held, NAMES, Places, PlayerSetup, Position, RiverEntry};
use crate::event::Event;
use crate::rules::Rules;
use crate::{BySeat, Declare, Meld, MeldKind, Seat, Tile, TileKind, Wind};

impl Position {
    /// The position after these events, for a decision of one player. They begin with
    /// [`Event::Deal`].
    ///
    /// The position has the hands whose tiles the events show. Mask the events
    /// ([`Event::seen_by`]) for the view of the player. Each kan and kita has an entry in the river.
    /// `rules_name` is what [`Position::to_toml`] writes: a preset, or a file that holds the rules.
    ///
    /// None if the events do not begin with a deal, or do not show the tiles of this player.
    #[must_use]
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
            Event::RiichiAccepted { seat } => *self.players[*seat].score.as_mut()? -= 1000,
            Event::Call { seat, meld } => {
                let claimed = meld.claimed()?;
                let river = &mut self.players[claimed.from].river;
                let Some(RiverEntry::Discard(dropped)) = river.last_mut() else { return None };
                dropped.claimed = true;
                let declared = Declared { meld: *meld, added: None };
                let player = &mut self.players[*seat];
                declared.own().into_iter().try_for_each(|tile| player.take(tile, false))?;
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
    #[must_use]
    pub fn to_toml(&self) -> String {
        let players = self.rules.players;
        let count = u32::from(players.count());
        let wind = Wind::of_round(u32::from(self.round) / count);
        let mut text = format!(
            "rules = {}\nround = \"{}{}\"\nhonba = {}\nsticks = {}\n",
            toml::Value::from(self.rules_name.as_str()),
            wind.letter(),
            u32::from(self.round) % count + 1,
            self.honba,
            self.sticks
        );
        if !self.indicators.is_empty() {
            let indicators = tiles_text(self.indicators.iter().copied());
            // Writing to a string cannot fail.
            let _ = writeln!(text, "indicators = \"{indicators}\"");
        }
        let _ = writeln!(text, "seat = \"{}\"", self.name(self.seat));
        if let Some(live) = self.live {
            let _ = writeln!(text, "live = {live}");
        }
        if let Some(turn) = self.turn {
            let _ = writeln!(text, "turn = {turn}");
        }
        for (steps, name) in NAMES.iter().enumerate().take(usize::from(players.count())) {
            let seat = self.dealer().after(steps as u8, players);
            let _ = write!(text, "\n[{name}]\n{}", self.player_text(seat));
        }
        text
    }

    fn player_text(&self, seat: Seat) -> String {
        let PlayerSetup { score, river, melds, kita, hand } = &self.players[seat];
        let mut text = score.map_or_else(String::new, |score| format!("score = {score}\n"));
        if !river.is_empty() {
            text += &format!("river = \"{}\"\n", river_text(river));
        }
        if !melds.is_empty() {
            let melds: Vec<String> =
                melds.iter().map(|declared| meld_text(*declared, seat, self.rules.players)).collect();
            text += &format!("melds = \"{}\"\n", melds.join(" "));
        }
        if *kita > 0 {
            text += &format!("kita = {kita}\n");
        }
        if let Some(Held { tiles, drawn }) = hand {
            let drawn = drawn.map_or_else(String::new, |tile| format!("+{tile}"));
            text += &format!("hand = \"{}{drawn}\"\n", tiles_text(tiles.iter().copied()));
        }
        text
    }
}

impl PlayerSetup {
    /// Takes a tile out of the hand, if it is shown. None if the hand lacks it.
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
