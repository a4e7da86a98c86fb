//! The games of a table as the orders of its agents.

use jantaku_engine::Players;

use jantaku_sim::play::{GameRecord, Schedule, Sink, SinkError};

/// The orders of a table's games, as they are played.
pub(super) struct TableGames<'a> {
    pub(super) schedule: Schedule,
    /// The table's agents by their indexes in the league.
    pub(super) table: &'a [usize],
    /// By game: its set, and its agents from first place to last.
    pub(super) orders: Vec<(u64, Vec<usize>)>,
}

impl TableGames<'_> {
    /// The set of a game, and its agents from first place to last.
    pub(super) fn order(
        &self,
        game: u64,
        placements: impl Iterator<Item = u8>,
    ) -> Result<(u64, Vec<usize>), String> {
        let Schedule { players, .. } = self.schedule;
        let (seating, placements) = (self.schedule.fixture(game).seating, placements.collect::<Vec<u8>>());
        let agent = |placement: u8| {
            let seat = players.seats().find(|seat| placements.get(seat.index()) == Some(&placement));
            seat.map(|seat| self.table[seating.agent(seat)])
        };
        let order: Option<Vec<usize>> = (1..=players.count()).map(agent).collect();
        let is_whole = placements.len() == usize::from(players.count());
        let order = order.filter(|_| is_whole).ok_or_else(|| wrong_placements(game, &placements, players))?;
        Ok((game / self.schedule.games_per_set(), order))
    }
}

fn wrong_placements(game: u64, found: &[u8], players: Players) -> String {
    format!(
        "game {game}: `placement`: expected each number from 1 to {} once, found {found:?}",
        players.count()
    )
}

impl Sink for TableGames<'_> {
    fn take(&mut self, game: GameRecord) -> Result<(), SinkError> {
        let order = self.order(game.game, game.results.iter().map(|result| result.placement));
        self.orders.push(order.expect("the engine places every player"));
        Ok(())
    }
}
