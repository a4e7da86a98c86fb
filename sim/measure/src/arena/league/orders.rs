//! The games of a table as the orders of its agents.

use jantaku_engine::rules::options::TieRule;
use jantaku_engine::{BySeat, FinalResult, Players, Seat, places};

use jantaku_sim::play::{GameRecord, Schedule, Sink, SinkError};

/// The agents of a game by their indexes in the league, from first place to last. Those that share places are in
/// one list.
pub(super) type SharedOrder = Vec<Vec<usize>>;

/// The orders of a table's games, as they are played.
pub(super) struct TableGames<'a> {
    pub(super) schedule: Schedule,
    /// The places of players with equal points.
    pub(super) tie_rule: TieRule,
    /// The table's agents by their indexes in the league.
    pub(super) table: &'a [usize],
    /// By game: its set and the order of its agents.
    pub(super) orders: Vec<(u64, SharedOrder)>,
}

impl TableGames<'_> {
    /// The set of a game and the order of its agents, from the placement and points of each seat. Fails
    /// unless each placement occurs once.
    pub(super) fn order(
        &self,
        game: u64,
        results: impl Iterator<Item = (u8, i32)>,
    ) -> Result<(u64, SharedOrder), String> {
        let Schedule { players, .. } = self.schedule;
        let results: Vec<FinalResult> =
            results.map(|(placement, points)| FinalResult { placement, points, result: 0 }).collect();
        let placements: Vec<u8> = results.iter().map(|result| result.placement).collect();
        let of_placement =
            |placement: u8| players.seats().find(|seat| placements.get(seat.index()) == Some(&placement));
        let order: Option<Vec<Seat>> = (1..=players.count()).map(of_placement).collect();
        let found = BySeat::from_slice(players, &results).zip(order);
        let is_whole = placements.len() == usize::from(players.count());
        let (results, order) =
            found.filter(|_| is_whole).ok_or_else(|| wrong_placements(game, &placements, players))?;
        let (places, seating) = (places(&results, self.tie_rule), self.schedule.fixture(game).seating);
        let agent = |seat: &Seat| self.table[seating.agent(*seat)];
        let agents = |tied: &[Seat]| tied.iter().map(agent).collect::<Vec<usize>>();
        let order = order.chunk_by(|a, b| places[*a] == places[*b]).map(agents).collect();
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
        let order =
            self.order(game.game, game.results.iter().map(|result| (result.placement, result.points)));
        self.orders.push(order.expect("the engine places every player"));
        Ok(())
    }
}
