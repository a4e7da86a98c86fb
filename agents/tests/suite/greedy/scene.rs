//! A hand with chosen tiles, played up to the decision that a test asks about.

use jantaku_agents::Policy;
use jantaku_engine::{
    Action, ActionId, BySeat, Declare, Game, Phase, Rng, Rules, Seat, Standing, Tile, Wall, notation,
};

/// The tiles of a hand by their index in the wall. Seats are winds: `E` deals.
pub struct Scene {
    rules: Rules,
    round: u16,
    /// Points from the dealer on.
    scores: Option<[i32; 4]>,
    wall: Vec<Option<Tile>>,
}

impl Scene {
    /// A scene under the default rules.
    pub fn new() -> Scene {
        Scene::under(&Rules::default())
    }

    pub fn under(rules: &Rules) -> Scene {
        let wall = vec![None; Wall::of_hand(0, 0, 0, 0, rules).tiles().len()];
        Scene { rules: *rules, round: 0, scores: None, wall }
    }

    /// The 13 tiles of a player, in hand notation.
    pub fn hand(mut self, wind: &str, tiles: &str) -> Scene {
        let (players, steps) = (usize::from(self.rules.players.count()), steps(wind));
        let tiles = notation::parse_tiles(tiles).expect("hand notation");
        assert_eq!(tiles.len(), 13, "a hand before the draw");
        for (i, tile) in tiles.into_iter().enumerate() {
            let at = if i == 12 { 12 * players + steps } else { 4 * players * (i / 4) + 4 * steps + i % 4 };
            self.wall[at] = Some(tile);
        }
        self
    }

    /// The first draws from the live wall, `_` for any tile: `5z _ 3m`.
    pub fn draws(mut self, tiles: &str) -> Scene {
        let dealt = 13 * usize::from(self.rules.players.count());
        for (at, tile) in tiles.split(' ').enumerate().filter(|(_, tile)| *tile != "_") {
            self.wall[dealt + at] = Some(tile.parse().expect("a tile"));
        }
        self
    }

    /// The dora indicator.
    pub fn dora(mut self, indicator: &str) -> Scene {
        // The layout `Tenhou` has it here.
        self.wall[130] = Some(indicator.parse().expect("a tile"));
        self
    }

    /// The points from the dealer on.
    pub fn scores(mut self, scores: [i32; 4]) -> Scene {
        self.scores = Some(scores);
        self
    }

    /// The round: 7 is South 4.
    pub fn round(mut self, round: u16) -> Scene {
        self.round = round;
        self
    }

    /// Deals the hand.
    pub fn start(self) -> Play {
        let players = self.rules.players;
        let dealer = Seat::FIRST.after((self.round % u16::from(players.count())) as u8, players);
        let points = |seat| match self.scores {
            Some(scores) => scores[usize::from(dealer.steps_to(seat, players))],
            None => self.rules.start_points,
        };
        let scores = BySeat::from_fn(players, points);
        let standing = Standing { round: self.round, scores, ..Standing::start(&self.rules) };
        let wall = self.filled();
        let game = Game::at(&self.rules, 1, &standing, Some(wall), &mut ()).expect("a valid scene");
        Play { game, dealer }
    }

    /// The wall with all other tiles of the set in the open positions.
    fn filled(&self) -> Wall {
        let mut rest = Wall::of_hand(0, 0, 0, 0, &self.rules).tiles().to_vec();
        for tile in self.wall.iter().flatten() {
            let at = rest.iter().position(|other| other == tile);
            rest.swap_remove(at.unwrap_or_else(|| panic!("the scene has too many {tile}")));
        }
        let mut rest = rest.into_iter();
        let tiles: Vec<Tile> =
            self.wall.iter().map(|tile| tile.or_else(|| rest.next()).expect("a tile is left")).collect();
        Wall::from_tiles(&tiles, &self.rules).expect("the tiles of the set")
    }
}

fn steps(wind: &str) -> usize {
    ["E", "S", "W", "N"].iter().position(|name| *name == wind).expect("a wind")
}

/// A hand in play.
pub struct Play {
    game: Game,
    dealer: Seat,
}

impl Play {
    fn seat(&self, wind: &str) -> Seat {
        self.dealer.after(steps(wind) as u8, self.game.rules().players)
    }

    /// The player takes this action, such as `chi 34m`. The first word is enough.
    pub fn then(mut self, wind: &str, action: &str) -> Play {
        let seat = self.seat(wind);
        let observation = self.game.observe(seat);
        let is_it = |legal: &Action| {
            let text = observation.describe(*legal);
            text == action || text.split(' ').next() == Some(action)
        };
        let chosen = observation.legal().iter().map(ActionId::action).find(is_it);
        self.game.submit(seat, chosen.unwrap_or_else(|| panic!("{wind} cannot {action}"))).expect("legal");
        self
    }

    /// All players pass and discard their draws until this player decides in this phase.
    pub fn until(mut self, wind: &str, phase: Phase) -> Play {
        let seat = self.seat(wind);
        while self.game.table().phase() != phase || !self.game.pending().contains(seat) {
            let (other, legal) = self.game.decisions().next().expect("a seat has to decide");
            let tsumogiri = Action::Tsumogiri { declare: Declare::Nothing };
            let idle = [Action::Pass, tsumogiri].into_iter().find(|action| legal.contains(action.id()));
            self.game.submit(other, idle.expect("a player can pass or discard the draw")).expect("legal");
        }
        self
    }

    pub fn is_legal(&self, wind: &str, action: Action) -> bool {
        self.game.observe(self.seat(wind)).legal().contains(action.id())
    }

    /// The agent's choice for this player, with its tiles.
    pub fn choice(&self, wind: &str, agent: &impl Policy) -> String {
        let observation = self.game.observe(self.seat(wind));
        assert!(!observation.legal().is_empty(), "{wind} has nothing to decide");
        let action = agent.choose(&observation, &mut Rng::new(0));
        assert!(observation.legal().contains(action.id()), "{action} is not legal");
        observation.describe(action)
    }
}
