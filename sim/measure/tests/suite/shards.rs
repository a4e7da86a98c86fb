//! Shards of a match.

use std::sync::Arc;

use jantaku_engine::Rules;
use jantaku_measure::arena::{Match, MatchPlan, MatchResult};
use jantaku_sim::play::Seatings;
use jantaku_sim::run::{RunConfig, agents_of};

#[test]
fn the_result_of_a_shard_counts_all_its_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = Rules { wind_rounds: 0, ..Rules::default() };
    let plan = MatchPlan { sets: Some(4), ..MatchPlan::default() };
    for (shard, games) in [("1/3", 4), ("2/3", 4), ("3/3", 8)] {
        let path = folder.path().join(shard.replace('/', "-of-"));
        let config = RunConfig {
            games: Some(16),
            games_per_part: 4,
            agents: vec!["tsumogiri".to_owned(), "random".to_owned()],
            seatings: Seatings::OneVersusRest,
            shard: Some(shard.parse().expect("a shard")),
            ..RunConfig::new("one hand", &rules)
        };
        let agents = agents_of(&config).expect("built-in agents");
        let mut played = Match::new(config, agents, plan, Some(&path)).expect("a new folder");
        let mut players = played.start(false, &Arc::default()).expect("built-in agents start");
        let played = played.play_shard(&mut players, &mut ()).expect("agents of the program");
        assert!(!played.is_interrupted());
        assert_eq!(MatchResult::read(&path).expect("a stored match").games, games, "shard {shard}");
    }
}
