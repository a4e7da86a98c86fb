//! A recorded game from its events.

use jantaku_engine::replay::{HandLog, RecordedEnd, RecordedGame, RecordedHand};
use jantaku_engine::{
    BySeat, Claimed, Meld, MeldKind, Players, Rules, Seat, SeatSet, Standing, Tile, TileKind,
};
use serde_json::value::RawValue;

use super::{Claim, Event, MjaiError, Pai, REASONS, STICK, win};

/// A recorded game, and whether its log states the rules.
#[derive(Clone, PartialEq, Debug)]
pub struct Log {
    /// The game. Where the log does not state its rules, they are Tenhou's for as many players.
    pub game: RecordedGame,
    /// Whether the log states the rules.
    pub states_rules: bool,
}

/// Reads a game from a text of one event a line, or from a JSON list of events.
///
/// # Errors
///
/// If the text is not of this format, hides tiles, or tells what no game can be.
pub fn read(text: &str) -> Result<Log, MjaiError> {
    let mut reader = Reader::default();
    let is_list = text.trim_start().starts_with('[');
    let listed: Vec<&RawValue> = if is_list {
        serde_json::from_str(text).map_err(|error| wrong("the list of events", &error))?
    } else {
        Vec::new()
    };
    let lines = text.lines().filter(|line| !is_list && !line.trim().is_empty());
    for (number, event) in listed.iter().map(|event| event.get()).chain(lines).enumerate() {
        let place = || format!("event {}", number + 1);
        let event: Event = serde_json::from_str(event).map_err(|error| wrong(place(), &error))?;
        reader.take(event).map_err(|what| wrong(place(), &what))?;
    }
    reader.end().map_err(|what| wrong("the end", &what))
}

fn wrong(place: impl Into<String>, what: &impl ToString) -> MjaiError {
    MjaiError { place: place.into(), what: what.to_string() }
}

#[derive(Default)]
struct Reader {
    names: Vec<String>,
    stated: Option<Rules>,
    east_only: bool,
    no_reds: bool,
    game: Option<RecordedGame>,
    hand: Option<HandLog>,
    /// Points as they stand, as far as the log tells what was won and lost.
    points: Option<BySeat<i32>>,
}

/// What is set aside for dora.
const NORTH: Tile = Tile::plain(TileKind::NORTH);

/// An event of a hand while none is played.
const NO_HAND: &str = "no `start_kyoku` came before";

impl Reader {
    fn take(&mut self, event: Event) -> Result<(), String> {
        match event {
            Event::StartGame { names, rules, gametype, aka_flag } => {
                if self.game.is_some() {
                    return Err("a second game begins".to_owned());
                }
                self.names = names;
                let rules =
                    rules.map(|text| Rules::from_toml(&text, "rules").map_err(|error| error.to_string()));
                self.stated = rules.transpose()?;
                self.east_only = gametype.is_some_and(|name| name == "tonpu");
                self.no_reds = aka_flag == Some(false);
                Ok(())
            }
            Event::StartKyoku { bakaze, dora_marker, kyoku, honba, kyotaku, oya, scores, tehais } => {
                self.close();
                let kyoku = kyoku.checked_sub(1).ok_or("`kyoku` is 0, expected a number from 1")?;
                let place = (u16::from(kyoku), bakaze.0 as u16);
                self.deal(place, [honba, kyotaku], oya, scores, &tehais, dora_marker)
            }
            Event::EndGame { scores } => {
                self.close();
                let game = self.game.as_mut().ok_or(NO_HAND)?;
                if game.is_whole {
                    return Err("the game is over".to_owned());
                }
                let players = game.rules.players;
                game.final_scores = scores.map(|scores| by_seat(&scores, players)).transpose()?;
                game.is_whole = true;
                Ok(())
            }
            Event::EndKyoku if self.hand.as_ref().is_some_and(|hand| hand.hand().end.is_none()) => {
                Err("the hand has no end yet: expected `hora` or `ryukyoku`".to_owned())
            }
            Event::EndKyoku | Event::None => Ok(()),
            event => self.play(event),
        }
    }

    /// A hand of the round with this wind begins, the `kyoku`-th from 0.
    fn deal(
        &mut self,
        (kyoku, wind): (u16, u16),
        [honba, sticks]: [u16; 2],
        oya: u8,
        scores: Option<Vec<i32>>,
        tehais: &[Vec<Pai>],
        indicator: Option<Pai>,
    ) -> Result<(), String> {
        let game = match &mut self.game {
            Some(game) => game,
            None => {
                let count = scores.as_ref().map_or(tehais.len(), Vec::len);
                let players = Players::try_from(u8::try_from(count).unwrap_or(u8::MAX))?;
                let rules = self.stated.map_or_else(|| self.assumed_rules(players), Ok)?;
                let mut game = RecordedGame::new(rules);
                self.names.resize(game.names.len(), String::new());
                game.names = std::mem::take(&mut self.names);
                self.game.insert(game)
            }
        };
        let players = game.rules.players;
        let count = u16::from(players.count());
        if kyoku >= count || u16::from(oya) != kyoku {
            return Err(format!("the dealer of hand {} is {oya}, expected {kyoku} of {count}", kyoku + 1));
        }
        let scores = match (scores, self.points) {
            (Some(scores), _) => by_seat(&scores, players)?,
            (None, Some(points)) => points,
            (None, None) if game.hands.is_empty() => BySeat::splat(players, game.rules.start_points),
            (None, None) => return Err("no `scores`, and the hand before does not tell them".to_owned()),
        };
        self.points = Some(scores);
        if let Some(number) = (players.count().into()..tehais.len()).find(|n| !tehais[*n].is_empty()) {
            return Err(format!("tiles are dealt to player {number} in a game of {count}"));
        }
        let mut dealt = BySeat::splat(players, [Tile::plain(TileKind::EAST); 13]);
        for seat in players.seats() {
            let tiles: Vec<Tile> = tehais
                .get(seat.index())
                .into_iter()
                .flatten()
                .map(|pai| shown(*pai))
                .collect::<Result<_, _>>()?;
            let found = tiles.len();
            dealt[seat] =
                tiles.try_into().map_err(|_| format!("{found} tiles are dealt to {seat}, expected 13"))?;
        }
        let standing =
            Standing { round: wind * count + kyoku, honba, sticks, attempt: 0, dealer_wins: 0, scores };
        self.hand = Some(HandLog::new(standing, dealt, indicator.map(shown).transpose()?));
        Ok(())
    }

    /// The rules where the log does not state them: Tenhou's, with what it tells.
    fn assumed_rules(&self, players: Players) -> Result<Rules, String> {
        let preset = match players {
            Players::Four => "tenhou",
            Players::Three => "tenhou-sanma",
            Players::Two => return Err("a game of two that does not state its rules".to_owned()),
        };
        let mut rules = Rules::preset(preset).ok_or("no rules are known for so many players")?;
        if self.east_only {
            rules.wind_rounds = 1;
        }
        if self.no_reds {
            rules.aka = jantaku_engine::rules::knobs::Aka { m: 0, p: 0, s: 0 };
        }
        Ok(rules)
    }

    fn play(&mut self, event: Event) -> Result<(), String> {
        let players = self.game.as_ref().ok_or(NO_HAND)?.rules.players;
        let hand = self.hand.as_mut().ok_or(NO_HAND)?;
        if hand.hand().end.is_some() && !matches!(event, Event::Hora(_)) {
            return Err("the hand is over".to_owned());
        }
        let seat = |actor| seat(actor, players);
        match event {
            Event::Tsumo { actor, pai } => hand.draw(seat(actor)?, shown(pai)?)?,
            Event::Dahai { actor, pai, tsumogiri } => hand.discard(seat(actor)?, shown(pai)?, tsumogiri)?,
            Event::Chi(claim) => hand.meld(seat(claim.actor)?, meld(MeldKind::Chi, &claim, players)?)?,
            Event::Pon(claim) => hand.meld(seat(claim.actor)?, meld(MeldKind::Pon, &claim, players)?)?,
            Event::Daiminkan(claim) => {
                hand.meld(seat(claim.actor)?, meld(MeldKind::Daiminkan, &claim, players)?)?;
            }
            Event::Ankan { actor, consumed } => {
                let tiles: Vec<Tile> = consumed.into_iter().map(shown).collect::<Result<_, _>>()?;
                let meld = Meld::of(MeldKind::Ankan, &tiles, None).map_err(|wrong| wrong.to_string())?;
                hand.meld(seat(actor)?, meld)?;
            }
            Event::Kakan { actor, pai, consumed } => {
                let pon: Vec<Tile> = consumed.into_iter().map(shown).collect::<Result<_, _>>()?;
                hand.add_to_pon(seat(actor)?, shown(pai)?, Some(&pon[..]).filter(|pon| !pon.is_empty()))?;
            }
            Event::Kita { actor, pai } => {
                let tile = pai.map_or(Ok(NORTH), shown)?;
                if tile != NORTH {
                    return Err(format!("{tile} is set aside, expected N"));
                }
                hand.kita(seat(actor)?)?;
            }
            Event::Dora { dora_marker } => hand.indicator(shown(dora_marker)?)?,
            Event::Reach { actor } => hand.declare_riichi(seat(actor)?)?,
            Event::ReachAccepted { actor, deltas, scores } => {
                hand.accept_riichi(seat(actor)?)?;
                let stick = stick_of(seat(actor)?, players);
                let told = deltas.map(|deltas| by_seat(&deltas, players)).transpose()?;
                if let Some(told) = told.filter(|told| *told != stick) {
                    return Err(format!("`deltas` is {told:?}, expected {stick:?}"));
                }
                self.settle(Some(&stick), scores.as_deref())?;
            }
            Event::Hora(hora) => {
                let win = win::read(&hora, hand.hand(), players)?;
                if let Some(markers) = hora.ura_markers.as_ref().filter(|markers| !markers.is_empty()) {
                    hand.ura_indicators(markers.iter().map(|pai| shown(*pai)).collect::<Result<_, _>>()?);
                }
                let deltas = win.deltas;
                hand.win(win)?;
                self.settle(deltas.as_ref(), hora.scores.as_deref())?;
            }
            Event::Ryukyoku { reason, tehais, tenpais, deltas, scores } => {
                if let Some(seat) = last_riichi(hand.hand()) {
                    hand.accept_riichi(seat)?;
                    self.settle(Some(&stick_of(seat, players)), None)?;
                }
                let deltas = deltas.map(|deltas| by_seat(&deltas, players)).transpose()?;
                self.draw_game(reason.as_deref(), tehais.as_deref(), tenpais.as_deref(), deltas)?;
                self.settle(deltas.as_ref(), scores.as_deref())?;
            }
            Event::StartGame { .. }
            | Event::StartKyoku { .. }
            | Event::EndGame { .. }
            | Event::EndKyoku
            | Event::None => {}
        }
        Ok(())
    }

    /// The hand ends without a winner.
    fn draw_game(
        &mut self,
        reason: Option<&str>,
        tehais: Option<&[Vec<Pai>]>,
        tenpais: Option<&[bool]>,
        deltas: Option<BySeat<i32>>,
    ) -> Result<(), String> {
        let hand = self.hand.as_mut().ok_or(NO_HAND)?;
        let players = hand.hand().standing.scores.players();
        let named = |name: &str| {
            let found = REASONS.iter().find(|(_, names)| names.contains(&name));
            found.map(|(draw, _)| *draw).ok_or_else(|| {
                let known: Vec<&str> = REASONS.iter().flat_map(|(_, names)| *names).copied().collect();
                format!("\"{name}\" is no reason of a draw: expected one of {}", known.join(", "))
            })
        };
        let draw = reason.map(named).transpose()?;
        for (seat, told) in players.seats().zip(tehais.into_iter().flatten()) {
            if told.iter().all(|pai| pai.0.is_some()) {
                check_tiles("tehais", told, hand.hand(), seat)?;
            }
        }
        let tenpai = |tenpais: &[bool]| -> SeatSet {
            players.seats().filter(|seat| tenpais.get(seat.index()) == Some(&true)).collect()
        };
        let tenpai = tenpais.map(tenpai).filter(|_| draw.is_some_and(|reason| !reason.is_abortive()));
        Ok(hand.end(RecordedEnd { wins: Vec::new(), draw, tenpai, deltas })?)
    }

    /// Points change by so much, if the log tells it, to what it says that they are then.
    fn settle(&mut self, deltas: Option<&BySeat<i32>>, scores: Option<&[i32]>) -> Result<(), String> {
        let players = self.game.as_ref().ok_or(NO_HAND)?.rules.players;
        let told = scores.map(|scores| by_seat(scores, players)).transpose()?;
        let sum = |points: BySeat<i32>, deltas: &BySeat<i32>| {
            BySeat::from_fn(players, |seat| points[seat].saturating_add(deltas[seat]))
        };
        let expected = self.points.zip(deltas).map(|(points, deltas)| sum(points, deltas));
        self.points = told.or(expected);
        match (told, expected) {
            (Some(told), Some(expected)) if told != expected => {
                Err(format!("`scores` is {told:?}, expected {expected:?}"))
            }
            _ => Ok(()),
        }
    }

    fn close(&mut self) {
        if let (Some(game), Some(hand)) = (&mut self.game, self.hand.take()) {
            game.hands.push(hand.into_hand());
        }
    }

    fn end(mut self) -> Result<Log, String> {
        self.close();
        let game = self.game.ok_or("no hand is dealt")?;
        Ok(Log { game, states_rules: self.stated.is_some() })
    }
}

/// Who has declared the last of all players' riichi, with the last discard: some logs leave out that it stands before the hand is drawn.
fn last_riichi(hand: &RecordedHand) -> Option<Seat> {
    use jantaku_engine::{Declare, Event};
    let players = hand.standing.scores.players();
    let accepted = hand.events.iter().filter(|event| matches!(event, Event::RiichiAccepted { .. })).count();
    match hand.events.last()? {
        Event::Discard { seat, declare: Declare::Riichi, .. } => {
            (accepted + 1 == usize::from(players.count())).then_some(*seat)
        }
        _ => None,
    }
}

/// What a riichi costs.
fn stick_of(seat: Seat, players: Players) -> BySeat<i32> {
    BySeat::from_fn(players, |other| if other == seat { -STICK } else { 0 })
}

/// Compares the concealed tiles of a player with what the log says that they are.
pub(super) fn check_tiles(key: &str, told: &[Pai], hand: &RecordedHand, seat: Seat) -> Result<(), String> {
    let mut tiles: Vec<Tile> = told.iter().map(|pai| shown(*pai)).collect::<Result<_, _>>()?;
    tiles.sort_unstable();
    match hand.held(seat) {
        Some(held) if held != tiles => {
            let text = |tiles: &[Tile]| {
                tiles.iter().map(|tile| Pai::from(*tile).to_string()).collect::<Vec<_>>().join(" ")
            };
            Err(format!("`{key}` is {}, expected {}", text(&tiles), text(&held)))
        }
        _ => Ok(()),
    }
}

pub(super) fn shown(pai: Pai) -> Result<Tile, String> {
    pai.0.ok_or_else(|| "a tile is hidden: a game can be replayed from a log of all tiles only".to_owned())
}

pub(super) fn seat(number: u8, players: Players) -> Result<Seat, String> {
    let found = players.seats().find(|seat| seat.number() == number);
    found.ok_or_else(|| format!("player {number} does not play"))
}

/// Points by seat; those of places where nobody plays are left out.
pub(super) fn by_seat(numbers: &[i32], players: Players) -> Result<BySeat<i32>, String> {
    BySeat::from_slice(players, numbers)
        .ok_or_else(|| format!("{} numbers of points, expected one for each player", numbers.len()))
}

fn meld(kind: MeldKind, claim: &Claim, players: Players) -> Result<Meld, String> {
    let tile = shown(claim.pai)?;
    let own: Vec<Tile> = claim.consumed.iter().map(|pai| shown(*pai)).collect::<Result<_, _>>()?;
    let from = seat(claim.target, players)?;
    Meld::of(kind, &own, Some(Claimed { tile, from })).map_err(|wrong| wrong.to_string())
}
