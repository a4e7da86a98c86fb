//! A hand and how it is won, as a question.

use jantaku_engine::{Moment, Players, Riichi, Seat, Wind, Yaku, named_enum, notation};

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
#[derive(Clone, Default, Debug)]
#[cfg_attr(feature = "clap", derive(clap::Args), group(skip))]
#[expect(clippy::struct_excessive_bools, reason = "each is an independent fact")]
pub struct Question {
    /// The tiles in hand notation. They may include melds and, after `+`, the last tile.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub hand: String,
    /// More melds in hand notation: `[123m]`, `<7777z>`.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub melds: String,
    /// The last tile, which wins or has just been drawn: beside the 13 tiles of `hand`, or one of
    /// its 14.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub win: Option<String>,
    /// Set how the hand gets its last tile
    #[cfg_attr(feature = "clap", arg(long, value_name = "ron|tsumo", default_value = "ron", value_parser = parse_win_by))]
    pub by: WinBy,
    /// Set the discarder: a wind, or right, across or left of the winner
    #[cfg_attr(feature = "clap", arg(long, value_name = "PLAYER", value_parser = parse_player))]
    pub from: Option<OtherPlayer>,
    /// Set the winner's wind; E is the dealer
    #[cfg_attr(feature = "clap", arg(long, value_name = "WIND", default_value = "S", value_parser = parse_wind))]
    pub seat: Wind,
    /// Set the round's wind
    #[cfg_attr(feature = "clap", arg(long, value_name = "WIND", default_value = "E", value_parser = parse_wind))]
    pub round: Wind,
    /// Win in riichi; `double` is a riichi in the first turn
    #[cfg_attr(feature = "clap", arg(
        long, value_name = "single|double", num_args = 0..=1, require_equals = true,
        default_value = "none", hide_default_value = true, default_missing_value = "single", value_parser = parse_riichi
    ))]
    pub riichi: Riichi,
    /// Show the waits with the riichi, under rules with open riichi
    #[cfg_attr(feature = "clap", arg(long))]
    pub open_riichi: bool,
    /// Win after riichi, before the winner's next discard and without a call in between
    #[cfg_attr(feature = "clap", arg(long))]
    pub ippatsu: bool,
    /// Set the dora indicators, such as 7s4z
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "TILES", default_value = "", hide_default_value = true)
    )]
    pub dora: String,
    /// Set the ura indicators
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "TILES", default_value = "", hide_default_value = true)
    )]
    pub ura: String,
    /// Win on the last tile: haitei, or houtei by ron
    #[cfg_attr(feature = "clap", arg(long))]
    pub haitei: bool,
    /// Win on the replacement tile of a kan
    #[cfg_attr(feature = "clap", arg(long))]
    pub rinshan: bool,
    /// Win on the replacement tile of a kita
    #[cfg_attr(feature = "clap", arg(long))]
    pub kita_replacement: bool,
    /// Win on a tile that another player declares a kan with
    #[cfg_attr(feature = "clap", arg(long))]
    pub chankan: bool,
    /// Win before the winner's first discard and before any call
    #[cfg_attr(feature = "clap", arg(long))]
    pub first_turn: bool,
    /// Win on the discard with which another player declares riichi
    #[cfg_attr(feature = "clap", arg(long))]
    pub riichi_tile: bool,
    /// Win on the discard after a kan
    #[cfg_attr(feature = "clap", arg(long))]
    pub after_kan: bool,
    /// Win on the discard of a player in riichi; matters to open riichi
    #[cfg_attr(feature = "clap", arg(long))]
    pub discarder_riichi: bool,
    /// Set how many hands the dealer has won in a row
    #[cfg_attr(feature = "clap", arg(
        long, value_name = "N", default_value_t = 0,
        value_parser = crate::options::number::<u8>(0..=u8::MAX.into()), allow_negative_numbers = true
    ))]
    pub dealer_wins: u8,
    /// Set how many Norths the winner has set aside, in a game of three
    #[cfg_attr(feature = "clap", arg(
        long, value_name = "N", default_value_t = 0,
        value_parser = crate::options::number::<u8>(0..=4), allow_negative_numbers = true
    ))]
    pub kita: u8,
    /// Set the honba that the winner is paid for
    #[cfg_attr(feature = "clap", arg(
        long, value_name = "N", default_value_t = 0,
        value_parser = crate::options::number::<u16>(0..=u16::MAX.into()), allow_negative_numbers = true
    ))]
    pub honba: u16,
    /// Set the riichi sticks that the winner takes
    #[cfg_attr(feature = "clap", arg(
        long, value_name = "N", default_value_t = 0,
        value_parser = crate::options::number::<u16>(0..=u16::MAX.into()), allow_negative_numbers = true
    ))]
    pub riichi_sticks: u16,
    /// Name the player who is liable for daisangen, daisuushii, suukantsu or daiminkan
    #[cfg_attr(feature = "clap", arg(long, value_name = "FOR=PLAYER", value_parser = parse_pao))]
    pub pao: Vec<Pao>,
    /// The name of a preset or the path of a rule file.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub rules: Option<String>,
}

named_enum! {
    /// How a hand gets its last tile.
    #[derive(Default)]
    WinBy {
        /// From another player: a discard, or a tile of a kan (chankan).
        #[default]
        Ron = "ron",
        /// By the winner's own draw.
        Tsumo = "tsumo",
    }
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
    /// The seat, counted from the dealer. None if there is no such player.
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
    /// The yakuman whose last visible set the player fed. None for the tile of a daiminkan, whose
    /// replacement tile wins.
    pub yaku: Option<Yaku>,
    /// The liable player.
    pub player: OtherPlayer,
}

/// The name of what a liable player fed.
pub(super) fn fed_name(yaku: Option<Yaku>) -> &'static str {
    yaku.map_or("daiminkan", Yaku::name)
}

impl Question {
    /// A hand in notation. South wins by ron in the East round, without riichi, dora, honba or
    /// sticks.
    pub fn new(hand: &str) -> Question {
        Question { hand: hand.to_owned(), seat: Wind::South, ..Question::default() }
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
    Ok(Pao { yaku: parse_fed(fed)?, player: parse_player(player)? })
}

/// Parses the name of what a liable player fed.
pub(super) fn parse_fed(text: &str) -> Result<Option<Yaku>, String> {
    let all = [Some(Yaku::Daisangen), Some(Yaku::Daisuushii), Some(Yaku::Suukantsu), None];
    let found = all.into_iter().find(|yaku| fed_name(*yaku) == text);
    found.ok_or_else(|| format!("found `{text}`, expected daisangen, daisuushii, suukantsu or daiminkan"))
}

/// Parses how a hand gets its last tile.
///
/// # Errors
///
/// If the text is neither `ron` nor `tsumo`.
pub fn parse_win_by(text: &str) -> Result<WinBy, String> {
    WinBy::named(text).ok_or_else(|| format!("found `{text}`, expected `ron` or `tsumo`"))
}

/// Parses a kind of riichi.
///
/// # Errors
///
/// If the text is none of `none`, `single` and `double`.
pub fn parse_riichi(text: &str) -> Result<Riichi, String> {
    match text {
        "none" => Ok(Riichi::None),
        "single" => Ok(Riichi::Single),
        "double" => Ok(Riichi::Double),
        other => Err(format!("found `{other}`, expected `none`, `single` or `double`")),
    }
}
