//! The form of a new table, as a browser sends it. Its values are indices into the lists of the offer.

use jantaku_engine::Players;
use jantaku_engine::random::hash;

use super::http::Request;
use super::start::Start;
use super::table_config::{CLOCKS, Offer, PERSON, TableSetup};
use super::words::Words;
use jantaku_sim::run::NamedRules;

/// The table that a form describes. `random` is its seed if the form has none.
///
/// # Errors
///
/// The first wrong field, and the expected value.
pub(super) fn table_of(
    request: &Request,
    words: &Words,
    offer: &Offer,
    random: u64,
) -> Result<TableSetup, String> {
    let NamedRules { name: rules_name, rules } =
        offer.rules[choice_of(request, "rules", offer.rules.len())?].clone();
    let players = usize::from(rules.players.count());
    let seed = seed_of(request, random)?;
    let seat = match choice_of(request, "seat", words.seats.len())? {
        // Another hash of the seed than the one from which the walls follow.
        0 => hash(&[seed, 1]) as usize % players,
        seat if seat <= players => seat - 1,
        seat => {
            let absent = words.absent_seat.replace("{seat}", words.seats[seat]);
            return Err(absent.replace("{rules}", &rules_name).replace("{players}", &players.to_string()));
        }
    };
    seated(request, offer, NamedRules { name: rules_name, rules }, seat, (seed, 0))
}

/// The decision from which a form plays on.
pub(super) struct Place {
    pub(super) of: PlaceOf,
    pub(super) decision: usize,
}

/// The game of a decision.
pub(super) enum PlaceOf {
    /// A game of the source with this number.
    Source(usize, u64),
    /// The finished game of a table.
    Table(String),
}

/// The decision from which a form plays on. None if it sets up a new game.
///
/// # Errors
///
/// The first wrong field, and the expected value.
pub(super) fn place_of(request: &Request) -> Result<Option<Place>, String> {
    let number = |name: &str| {
        let text = request.form(name).unwrap_or_default();
        text.parse::<u64>().map_err(|_| format!("{name}: expected a number, found {text:?}"))
    };
    let of = match (request.form("source"), request.form("table")) {
        (Some(_), _) => PlaceOf::Source(number("source")? as usize, number("game")?),
        (None, Some(table)) => PlaceOf::Table(table.to_owned()),
        (None, None) => return Ok(None),
    };
    Ok(Some(Place { of, decision: number("decision")? as usize }))
}

/// The table that continues a game, as a form says.
///
/// # Errors
///
/// The first wrong field, and the expected value.
pub(super) fn table_from(request: &Request, offer: &Offer, start: &Start) -> Result<TableSetup, String> {
    let seat = choice_of(request, "seat", start.rules.rules.players.count().into())?;
    let setup = seated(request, offer, start.rules.clone(), seat, (start.seed, start.game))?;
    Ok(TableSetup { branch: start.branch.clone(), ..setup })
}

/// A table with the person in this seat, and the opponents, hints and clock of a form.
fn seated(
    request: &Request,
    offer: &Offer,
    NamedRules { name: rules_name, rules }: NamedRules,
    seat: usize,
    (seed, game): (u64, u64),
) -> Result<TableSetup, String> {
    let agent = |number: usize| offer.agents[number].name().to_owned();
    let players = usize::from(rules.players.count());
    let mut agents = vec![PERSON.to_owned(); players];
    for step in 1..players {
        // The only opponent of two sits opposite.
        let chair = if rules.players == Players::Two { 1 } else { step - 1 };
        let number = choice_of(request, &format!("opponent{chair}"), offer.agents.len())?;
        agents[(seat + step) % players] = agent(number);
    }
    let hints = choice_of(request, "hints", offer.agents.len() + 1)?.checked_sub(1).map(agent);
    let clock = CLOCKS[choice_of(request, "clock", CLOCKS.len())?];
    let seat = seat as u8;
    Ok(TableSetup { rules_name, agents, seat, seed, game, branch: None, hints, clock, rules })
}

/// The number of a choice, below `count`.
fn choice_of(request: &Request, name: &str, count: usize) -> Result<usize, String> {
    let text =
        request.form(name).ok_or_else(|| format!("{name}: missing; expected all fields of the form"))?;
    let number = text.parse::<usize>().ok().filter(|number| *number < count);
    number.ok_or_else(|| format!("{name}: expected a number below {count}, found {text:?}"))
}

/// The seed of a form, which must fit into a TOML file, or `random` if the form has none.
///
/// # Errors
///
/// If it is not such a number.
pub(super) fn seed_of(request: &Request, random: u64) -> Result<u64, String> {
    let text = request.form("seed").unwrap_or_default();
    if text.is_empty() {
        return Ok(random);
    }
    let seed = text.parse::<u64>().ok().filter(|seed| i64::try_from(*seed).is_ok());
    seed.ok_or_else(|| format!("seed: expected a number up to {}, found {text:?}", i64::MAX))
}
