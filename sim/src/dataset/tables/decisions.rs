//! The table of decisions.
//!
//! # Why
//!
//! **Why are hands stored as text?** Every tool reads `123m456p`, and after compression it takes
//! under 5 bytes a decision. Counts of seen tiles are decimal digits for the same reason.
//!
//! **How does `decisions` hold the other players' actions?** As one string, `history`: each discard
//! and meld of the hand so far, in order. Each has its seat and a mark for tsumogiri. The entries
//! of a seat are its river and melds. Every open tile except the indicators is in it, which a test
//! checks. Each string begins with the previous one, and the file stores only the new suffix: 3.2
//! of 21 bytes a decision. Rejected: rivers and melds as columns by seat, because these repeat
//! themselves and lose the order; leaving them to a replay, because every reader would need an
//! engine.
//!
//! **Why does each decision repeat the round, honba, riichi sticks and points?** They follow from
//! `hands` and `riichi`, but every learner needs them, and then needs no join. They take 0.9 of 21
//! bytes. The points are by seat, like all other columns: `offer_from`, `riichi` and `history` name
//! seats, so one rotation by `seat` makes everything relative to the player.

use jantaku_agents::{Estimate, SearchInfo};
use jantaku_engine::notation::{HandText, write_tiles};
use jantaku_engine::{Melds, Phase, Tile, TileSet};

use super::statement::{PlayedGame, table};
use crate::dataset::column::{Provenance, Storage};
use crate::dataset::types::{
    Bool, F32, I8, I32, LastingWord, List, Nullable, NumberedWord, Text, U8, U16, U32, U64,
};
use crate::play::{Decision, GameRecord, HandRecord};

table! {
    /// One row per decision, sorted by `game`, `hand` and `step`: what the seat saw, the legal
    /// actions, the chosen action and its outcome. The seat sees every column except `step`,
    /// `decision`, `outranked` and the labels.
    Decisions, from Row { record, hand, number, d, search_info, agents, in_play },

    game: U64 [storage: Storage::Delta] = record.game
        => "Number of the game in its run.";
    hand: U16 [storage: Storage::Delta] = d.hand
        => "Number of the hand in its game, from 0.";
    step: U16 = d.step
        => "Number of events of the hand before the decision, the deal included. The seat does not see it: gaps reveal who else could have acted.";
    seat: U8 = d.seat.number()
        => "Seat that decides.";
    decision: U32 [storage: Storage::Delta, since: 3] = *number
        => "Number of the decision in its game, from 0: `jantaku ask RUN:GAME:DECISION`. The seat does not see it, as step.";
    round: U16 [storage: Storage::Plain, since: 2] = hand.course.round
        => "Number of dealer changes before the hand, as in hands. With n players, the length of points, the dealer is seat round mod n, and the round wind has the number (round div n) mod 4: 0 East, 1 South, 2 West, 3 North.";
    honba: U16 [storage: Storage::Plain, since: 2] = hand.course.honba
        => "Honba of the hand.";
    riichi_sticks: U16 [storage: Storage::Plain, since: 2] = d.riichi_sticks
        => "Riichi sticks on the table at the decision; in the phase end, those left after the hand.";
    points: List<I32> [storage: Storage::Plain, since: 2] = d.points.iter().copied()
        => "Points of each player at the decision, in order of seats, less the riichi sticks paid so far; in the phase end, those after the hand.";
    turn: U8 = d.turn
        => "Number of tiles that the seat has discarded in the hand.";
    phase: NumberedWord = (d.phase as usize, || phase_name(d.phase).to_owned())
        => "What the seat decides on: turn (its own turn), claim (a discard), kan-claim (a tile of a kan or a North set aside), draw (to show a tenpai hand), end (to end the game).";
    tiles: Text [storage: Storage::Lengths] = HandText::new(&d.concealed).as_str()
        => "The seat's concealed tiles in hand notation, 0 for a red five, without the tile just drawn.";
    drawn: Nullable<NumberedWord> = d.drawn.map(tile)
        => "Tile just drawn; null outside the phase turn and after a chi or pon.";
    melds: LastingWord<Melds> = (d.seat, d.melds, || d.melds.to_string())
        => "The seat's melds in hand notation: [123m] chi, [777z] pon, [7777z] daiminkan or kakan, <7777z> ankan.";
    offer: Nullable<NumberedWord> = d.offer.map(|offer| tile(offer.tile))
        => "Tile that can be claimed; null outside the phases claim and kan-claim.";
    offer_from: Nullable<U8> = d.offer.map(|offer| offer.from.number())
        => "Seat that discarded this tile, declared a kan with it or set it aside; null if offer is null.";
    seen_m: I32 [storage: Storage::Plain] = seen(d, 0, *in_play)
        => "Characters that the seat sees outside its concealed tiles, one decimal digit per rank: 102000000 is one 1m and two 3m. Its own melds count.";
    seen_p: I32 [storage: Storage::Plain] = seen(d, 1, *in_play)
        => "The same for dots.";
    seen_s: I32 [storage: Storage::Plain] = seen(d, 2, *in_play)
        => "The same for bamboo.";
    seen_z: I32 [storage: Storage::Plain] = seen(d, 3, *in_play)
        => "The same for honours: seven digits from East to the red dragon.";
    seen_red: U16 [storage: Storage::Plain, since: 2] = seen_red(d.open_reds)
        => "Red fives among these seen tiles, one decimal digit per suit: 102 is one red five of characters and two of bamboo.";
    indicators: LastingWord<([Tile; 5], u8)> = (d.seat, d.indicators, || indicators(d.indicators))
        => "Turned dora indicators in hand notation, in order.";
    live: U8 [storage: Storage::Delta] = d.live
        => "Live tiles left in the wall.";
    riichi: U8 = d.riichi.bits()
        => "Seats in accepted riichi: bit k for seat k.";
    history: Text [storage: Storage::Delta] = &hand.history[..usize::from(d.history)]
        => "Public actions of the hand so far in order, separated by spaces. Each starts with the seat: `05m` is a discard, followed by `*` for a tsumogiri and `r` for a riichi declaration. `2[555m]` is a call of the discard before it, `2<1111z>` an ankan, `2+5m` a kakan, `1+4z` a North set aside.";
    shanten: I8 = d.shanten.number()
        => "Shanten of the hand with the tile just drawn, the least over all forms: -1 complete, 0 tenpai.";
    legal_0: U64 [storage: Storage::Plain] = d.legal.words()[0]
        => "Legal actions 0-63: bit k for action k.";
    legal_1: U64 = d.legal.words()[1]
        => "Legal actions 64-127: bit k for action 64 + k.";
    legal_2: U64 = d.legal.words()[2]
        => "Legal actions 128-164: bit k for action 128 + k.";
    action: U8 = d.action.number()
        => "Number of the chosen action.";
    action_text: NumberedWord = action_text(d)
        => "Chosen action as text: `chi 34s` names the seat's own tiles, `tsumogiri 5m` the drawn tile.";
    outranked: Bool [provenance: Provenance::Outcome] = d.outranked
        => "Whether another player's claim on the same tile had priority, so that the action had no effect; false if an abortive draw cancelled all claims.";
    agent: LastingWord<u64> = (d.seat, record.game, || agents[d.seat.index()].clone())
        => "Agent that decided, or the player's name in the log.";
    value: Nullable<F32> [provenance: Provenance::Agent] = search_info.and_then(|search_info| search_info.value)
        => "Result that the agent expected, on its own scale; null if it reports none.";
    policy: Nullable<List<Nullable<F32>>> [provenance: Provenance::Agent] = search_info.and_then(policy)
        => "Probabilities that the agent gave the legal actions, in order of their numbers; null if it reports none.";
    probability: Nullable<F32> [provenance: Provenance::Agent, since: 2] = search_info.and_then(|search_info| search_info.probability)
        => "Probability with which the agent chose the action, after temperature and other exploration; null if it reports none.";
    action_values: Nullable<List<Nullable<F32>>> [provenance: Provenance::Agent, since: 2] = search_info.and_then(action_values)
        => "Values that the agent expected of the legal actions, in order of their numbers and on the scale of value; an entry is null if the agent did not examine the action, the list if it reports none.";
    action_errors: Nullable<List<Nullable<F32>>> [provenance: Provenance::Agent, since: 2] = search_info.and_then(action_errors)
        => "Standard errors of action_values; an entry is null if the agent knows none, the list if it knows none at all.";
    hand_delta: I32 [provenance: Provenance::Outcome] = hand.deltas[d.seat]
        => "Label: points that the seat won or lost in the hand.";
    final_points: I32 [provenance: Provenance::Outcome] = record.results[d.seat].points
        => "Label: points of the seat at the end of the game.";
    final_placement: U8 [provenance: Provenance::Outcome] = record.results[d.seat].placement
        => "Label: placement of the seat at the end of the game, 1 is first.";
    final_result: I32 [provenance: Provenance::Outcome, since: 2] = record.results[d.seat].result
        => "Label: result of the seat with uma and oka, in points, as in games.";
}

/// A decision with its number, its game and hand, and the tile kinds and agents of the game.
struct Row<'a> {
    record: &'a GameRecord,
    hand: &'a HandRecord,
    number: u32,
    d: &'a Decision,
    search_info: Option<&'a SearchInfo>,
    agents: &'a [String],
    in_play: TileSet,
}

fn rows_of<'a>(game: &PlayedGame<'a>) -> impl Iterator<Item = Row<'a>> {
    let PlayedGame { record, rules, agents, .. } = *game;
    let in_play = rules.kinds();
    (0..).zip(&record.decisions).map(move |(number, d)| {
        let (hand, search_info) = (&record.hands[usize::from(d.hand)], d.search_info.as_deref());
        Row { record, hand, number, d, search_info, agents, in_play }
    })
}

/// The name of a phase in which players decide.
pub(crate) const fn phase_name(phase: Phase) -> &'static str {
    match phase {
        Phase::Turn => "turn",
        Phase::Claim => "claim",
        Phase::KanClaim => "kan-claim",
        Phase::Draw => "draw",
        Phase::End | Phase::Over => "end",
    }
}

fn indicators((tiles, count): ([Tile; 5], u8)) -> String {
    let mut text = String::new();
    write_tiles(&mut text, tiles.into_iter().take(usize::from(count))).expect("a String takes everything");
    text
}

fn tile(tile: Tile) -> (usize, impl FnOnce() -> String) {
    (tile.index(), move || tile.to_string())
}

fn action_text(d: &Decision) -> (usize, impl FnOnce() -> String) {
    // The text names the drawn or the offered tile; a decision never has both.
    let offer = d.offer.map(|offer| offer.tile);
    let tile = d.drawn.or(offer).map_or(0, |tile| tile.index() + 1);
    let number = usize::from(d.action.number()) * (Tile::COUNT + 1) + tile;
    (number, move || d.action.action().in_context(d.drawn, offer).to_string())
}

fn policy(search_info: &SearchInfo) -> Option<impl Iterator<Item = Option<f32>>> {
    search_info.policy.as_ref().map(|policy| policy.iter().copied().map(Some))
}

fn action_values(search_info: &SearchInfo) -> Option<impl Iterator<Item = Option<f32>>> {
    let mean = |estimate: &Option<Estimate>| estimate.as_ref().map(|estimate| estimate.mean);
    search_info.action_values.as_ref().map(|estimates| estimates.iter().map(mean))
}

/// The standard errors of the estimates; None if all are unknown.
fn action_errors(search_info: &SearchInfo) -> Option<impl Iterator<Item = Option<f32>>> {
    let error = |estimate: &Option<Estimate>| estimate.as_ref().and_then(|estimate| estimate.standard_error);
    let errors = search_info.action_values.as_ref()?.iter().map(error);
    errors.clone().any(|error| error.is_some()).then_some(errors)
}

/// The red fives of characters, dots and bamboo as decimal digits.
fn seen_red(open_reds: [u8; 3]) -> u16 {
    let [m, p, s] = open_reds.map(u16::from);
    100 * m + 10 * p + s
}

/// For each set of ranks, a number of nine decimal digits, from the lowest rank to the highest: 1 for a
/// rank of the set, else 0.
const DIGITS: [i32; 512] = {
    let mut table = [0; 512];
    let mut set = 0;
    while set < 512 {
        let mut rank = 0;
        while rank < 9 {
            table[set] = 10 * table[set] + (set >> rank & 1) as i32;
            rank += 1;
        }
        set += 1;
    }
    table
};

/// The tiles of a suit that the seat sees outside its concealed tiles, one decimal digit per rank.
fn seen(d: &Decision, suit: usize, in_play: TileSet) -> i32 {
    let decimal = |set: TileSet| DIGITS[set.suit_bits(suit) as usize];
    let [ones, twos, fours] = d.unseen.digits();
    let unseen = decimal(ones) + 2 * decimal(twos) + 4 * decimal(fours);
    let concealed: i32 = (1..=4).map(|copies| decimal(d.concealed.at_least(copies))).sum();
    let drawn = d.drawn.map_or(0, |tile| decimal(tile.kind().into()));
    // Kinds outside the game are neither seen nor unseen.
    let visible = 4 * decimal(in_play) - unseen - concealed - drawn;
    // Honours have only seven digits.
    if suit == 3 { visible / 100 } else { visible }
}
