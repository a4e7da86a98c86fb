//! Whose decisions are reviewed.

use std::convert::Infallible;
use std::str::FromStr;

use jantaku_engine::{Players, Seat};
use jantaku_show::analysis::parse_wind;
use jantaku_sim::run::RequestError;

/// A player of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SeatChoice {
    /// The player in this seat: 0 is the first dealer.
    Number(u8),
    /// The player with this name, whatever the case of its letters.
    Name(String),
}

/// A number, a wind (the wind of the seat in the first hand), or else a name.
impl FromStr for SeatChoice {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<SeatChoice, Infallible> {
        let wind = || parse_wind(text).ok().map(|wind| wind as u8);
        let number = text.parse().ok().or_else(wind);
        Ok(number.map_or_else(|| SeatChoice::Name(text.to_owned()), SeatChoice::Number))
    }
}

impl SeatChoice {
    /// The seat in a game of these players. `names` has the names of the seats, or some of them.
    ///
    /// # Errors
    ///
    /// If the game has no such seat or player, or several players have the name.
    pub fn seat(&self, players: Players, names: &[String]) -> Result<Seat, RequestError> {
        let wrong = |value: String, what| RequestError::Value { field: "seat", value, what };
        match self {
            SeatChoice::Number(number) => {
                let last = players.count() - 1;
                let seat = Seat::new(*number).filter(|_| *number <= last);
                seat.ok_or_else(|| wrong(number.to_string(), format!("the game has seats 0 to {last}")))
            }
            SeatChoice::Name(name) => {
                let named = |seat: &Seat| names.get(seat.index()).is_some_and(|known| is_same(known, name));
                let seats: Vec<Seat> = players.seats().filter(named).collect();
                let what = match seats[..] {
                    [seat] => return Ok(seat),
                    [] => {
                        format!("expected a number from 0, a wind or the name of a player: {}", listed(names))
                    }
                    _ => {
                        let seats: Vec<String> = seats.iter().map(ToString::to_string).collect();
                        format!("seats {} have this name; give the number of the seat", seats.join(", "))
                    }
                };
                Err(wrong(name.clone(), what))
            }
        }
    }
}

/// The names that are known, each once. Seats follow a name that several players share.
fn listed(names: &[String]) -> String {
    let with_seats = |(first, name): (usize, &String)| {
        let seats: Vec<usize> = (0..names.len()).filter(|seat| is_same(&names[*seat], name)).collect();
        match seats[..] {
            _ if name.is_empty() || seats[0] < first => None,
            [_] => Some(name.clone()),
            _ => {
                let seats: Vec<String> = seats.iter().map(ToString::to_string).collect();
                Some(format!("{name} (seats {})", seats.join(", ")))
            }
        }
    };
    let known: Vec<String> = names.iter().enumerate().filter_map(with_seats).collect();
    if known.is_empty() { "none is known".to_owned() } else { known.join(", ") }
}

fn is_same(name: &str, other: &str) -> bool {
    name.trim().to_lowercase() == other.trim().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_have_numbers_winds_and_names() {
        let names = ["Ann", "Ben", "Cy", "Ben"].map(str::to_owned);
        let seat = |text: &str| {
            let Ok(choice) = text.parse::<SeatChoice>();
            choice.seat(Players::Four, &names).map(Seat::number).map_err(|error| error.to_string())
        };
        for (text, number) in [("0", 0), ("3", 3), ("east", 0), ("W", 2), ("Ann", 0), ("cy", 2)] {
            assert_eq!(seat(text), Ok(number), "{text}");
        }
        assert_eq!(seat("4"), Err("`seat`: `4`: the game has seats 0 to 3".to_owned()));
        let error = seat("Ben").expect_err("two players");
        assert_eq!(error, "`seat`: `Ben`: seats 1, 3 have this name; give the number of the seat");
        let error = seat("Dan").expect_err("no player");
        assert!(error.starts_with("`seat`: `Dan`: expected a number from 0, a wind or"), "{error}");
        assert!(error.ends_with("Ann, Ben (seats 1, 3), Cy"), "{error}");
    }
}
