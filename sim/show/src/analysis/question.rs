//! A hand and how it is won, as a question.

use std::fmt;

use jantaku_engine::{Moment, Players, Riichi, Seat, Wind, Yaku, notation};

/// Why a question has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{field}`: {what}")]
pub struct Refusal {
    /// The field of [`Question`] that is wrong.
    pub field: &'static str,
    /// The problem: what was found and what was expected.
    pub what: String,
}

impl Refusal {
    pub(super) fn new(field: &'static str, what: impl Into<String>) -> Refusal {
        Refusal { field, what: what.into() }
    }
}

/// A hand and how it is won. The names of the fields are the keys of a question in JSON.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is an independent fact")]
pub struct Question {
    /// The tiles in hand notation. They may include melds and, after `+`, the last tile.
    pub hand: String,
    /// More melds in hand notation: `[123m]`, `<7777z>`.
    pub melds: String,
    /// The last tile, which wins or has just been drawn: beside the 13 tiles of `hand`, or one of
    /// its 14.
    pub win: Option<String>,
    /// How the last tile comes.
    pub by: WinBy,
    /// The discarder of the last tile, or the player whose kan or kita is robbed.
    pub from: Option<OtherPlayer>,
    /// The winner's wind.
    pub seat: Wind,
    /// The round's wind.
    pub round: Wind,
    /// The winner's riichi.
    pub riichi: Riichi,
    /// The riichi is an open riichi.
    pub open_riichi: bool,
    /// A win after riichi, before the winner's next discard and without a call in between.
    pub ippatsu: bool,
    /// The dora indicators in hand notation.
    pub dora: String,
    /// The ura indicators, which need riichi.
    pub ura: String,
    /// A win on the last tile: haitei by tsumo, houtei by ron.
    pub haitei: bool,
    /// A tsumo on the replacement tile of a kan.
    pub rinshan: bool,
    /// A tsumo on the replacement tile of a kita.
    pub kita_replacement: bool,
    /// A ron on a tile that another player declares a kan with.
    pub chankan: bool,
    /// A win before the winner's first discard and before any call: tenhou, chiihou, renhou.
    pub first_turn: bool,
    /// A ron on the discard with which another player declares riichi.
    pub riichi_tile: bool,
    /// A ron on the discard that follows a kan.
    pub after_kan: bool,
    /// A ron on the discard of a player in riichi. It matters to an open riichi alone.
    pub discarder_riichi: bool,
    /// Hands that the dealer has won since the deal came to them.
    pub dealer_wins: u8,
    /// The number of Norths that the winner has set aside, under rules with kita.
    pub kita: u8,
    /// Honba that the winner is paid for.
    pub honba: u16,
    /// Riichi sticks that the winner takes.
    pub riichi_sticks: u16,
    /// The liable players, in the order in which they became liable.
    pub pao: Vec<Pao>,
    /// The name of a preset or the path of a rule file.
    pub rules: Option<String>,
}

/// How a hand gets its last tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum WinBy {
    /// From another player's discard.
    #[default]
    Ron,
    /// By the winner's own draw.
    Tsumo,
}

/// Another player, as the winner names them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OtherPlayer {
    /// By their seat wind.
    Wind(Wind),
    /// The next player in turn, *shimocha*.
    Right,
    /// The player opposite, *toimen*: with two or four players.
    Across,
    /// The previous player in turn, *kamicha*.
    Left,
}

impl OtherPlayer {
    /// The seat in a hand that the first seat deals. None if there is no such player.
    pub(super) fn seat(self, winner: Seat, players: Players) -> Option<Seat> {
        let steps = match self {
            OtherPlayer::Wind(wind) => {
                return Seat::new(wind as u8).filter(|seat| seat.number() < players.count());
            }
            OtherPlayer::Right => 1,
            OtherPlayer::Across if players == Players::Three => return None,
            OtherPlayer::Across => players.count() / 2,
            OtherPlayer::Left => players.count() - 1,
        };
        Some(winner.after(steps, players))
    }
}

/// A player's liability for the hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pao {
    /// What the player fed.
    pub fed: Fed,
    /// The liable player.
    pub player: OtherPlayer,
}

/// What a liable player fed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fed {
    /// The last visible set of this yakuman.
    Yakuman(Yaku),
    /// The tile of a daiminkan, whose replacement tile wins.
    Daiminkan,
}

impl Fed {
    const ALL: [Fed; 4] = [
        Fed::Yakuman(Yaku::Daisangen),
        Fed::Yakuman(Yaku::Daisuushii),
        Fed::Yakuman(Yaku::Suukantsu),
        Fed::Daiminkan,
    ];
}

/// The name of the yakuman, or `daiminkan`.
impl fmt::Display for Fed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Fed::Yakuman(yaku) => yaku.name(),
            Fed::Daiminkan => "daiminkan",
        })
    }
}

impl Question {
    /// A hand in notation. South wins by ron in the East round, without riichi, dora, honba or
    /// sticks.
    #[must_use]
    pub fn new(hand: &str) -> Question {
        Question {
            hand: hand.to_owned(),
            melds: String::new(),
            win: None,
            by: WinBy::Ron,
            from: None,
            seat: Wind::South,
            round: Wind::East,
            riichi: Riichi::None,
            open_riichi: false,
            ippatsu: false,
            dora: String::new(),
            ura: String::new(),
            haitei: false,
            rinshan: false,
            kita_replacement: false,
            chankan: false,
            first_turn: false,
            riichi_tile: false,
            after_kan: false,
            discarder_riichi: false,
            dealer_wins: 0,
            kita: 0,
            honba: 0,
            riichi_sticks: 0,
            pao: Vec::new(),
            rules: None,
        }
    }

    /// The moment of the win that yaku depend on.
    pub(super) fn moment(&self) -> Moment {
        match () {
            () if self.haitei => Moment::LastTile,
            () if self.rinshan => Moment::Rinshan,
            () if self.kita_replacement => Moment::KitaReplacement,
            () if self.chankan => Moment::Chankan,
            () => Moment::Ordinary,
        }
    }

    pub(super) fn in_riichi(&self) -> bool {
        self.riichi != Riichi::None
    }
}

/// Parses a wind by its letter, name or tile: `E`, `east`, `1z`, `東`.
///
/// # Errors
///
/// If the text is not a wind.
pub fn parse_wind(text: &str) -> Result<Wind, String> {
    wind(text).ok_or_else(|| format!("found `{text}`, expected E, S, W or N"))
}

fn wind(text: &str) -> Option<Wind> {
    let tile =
        notation::parse_tiles(text).ok().filter(|tiles| tiles.len() == 1).map(|tiles| tiles[0].to_string());
    let text = tile.as_deref().unwrap_or(text);
    let is = |wind: &Wind| {
        let names = [wind.letter().to_string(), wind.to_string(), wind.tile().to_string()];
        names.iter().any(|name| name.eq_ignore_ascii_case(text))
    };
    Wind::ALL.into_iter().find(is)
}

/// Parses another player: a wind, or `right`, `across` or `left` of the winner.
///
/// # Errors
///
/// If the text names no player.
pub fn parse_player(text: &str) -> Result<OtherPlayer, String> {
    match text.to_ascii_lowercase().as_str() {
        "right" => Ok(OtherPlayer::Right),
        "across" => Ok(OtherPlayer::Across),
        "left" => Ok(OtherPlayer::Left),
        _ => wind(text)
            .map(OtherPlayer::Wind)
            .ok_or_else(|| format!("found `{text}`, expected E, S, W, N, right, across or left")),
    }
}

/// Parses a liability such as `daisangen=W` or `daiminkan=left`.
///
/// # Errors
///
/// If the text is not a liability.
pub fn parse_pao(text: &str) -> Result<Pao, String> {
    let (fed, player) =
        text.split_once('=').ok_or_else(|| format!("found `{text}`, expected text such as daisangen=W"))?;
    Ok(Pao { fed: parse_fed(fed)?, player: parse_player(player)? })
}

pub(super) fn parse_fed(text: &str) -> Result<Fed, String> {
    let found = Fed::ALL.into_iter().find(|fed| fed.to_string() == text);
    found.ok_or_else(|| format!("found `{text}`, expected daisangen, daisuushii, suukantsu or daiminkan"))
}

/// Parses how a hand gets its last tile.
///
/// # Errors
///
/// If the text is neither `ron` nor `tsumo`.
pub fn parse_win_by(text: &str) -> Result<WinBy, String> {
    match text {
        "ron" => Ok(WinBy::Ron),
        "tsumo" => Ok(WinBy::Tsumo),
        other => Err(format!("found `{other}`, expected `ron` or `tsumo`")),
    }
}

/// Parses a kind of riichi.
///
/// # Errors
///
/// If the text is neither `single` nor `double`.
pub fn parse_riichi(text: &str) -> Result<Riichi, String> {
    match text {
        "single" => Ok(Riichi::Single),
        "double" => Ok(Riichi::Double),
        other => Err(format!("found `{other}`, expected `single` or `double`")),
    }
}
