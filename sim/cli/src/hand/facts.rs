//! The flags that say how a hand is won.

use clap::{Command, Id};
use jantaku_engine::{Riichi, Wind};
use jantaku_show::analysis::{
    OtherPlayer, Pao, Question, WinBy, parse_pao, parse_player, parse_riichi, parse_win_by, parse_wind,
};
use jantaku_sim::options::number;

/// The flags, for the arguments that exclude them.
pub(super) fn flags() -> Vec<Id> {
    let flags = <Args as clap::Args>::augment_args(Command::new("hand"));
    flags.get_arguments().map(|flag| flag.get_id().clone()).collect()
}

#[derive(clap::Args)]
#[group(skip)]
#[expect(clippy::struct_excessive_bools, reason = "each is an independent flag")]
pub(super) struct Args {
    /// Set how the hand gets its last tile
    #[arg(long, value_name = "ron|tsumo", default_value = "ron", value_parser = parse_win_by)]
    by: WinBy,
    /// Set the discarder: a wind, or right, across or left of the winner
    #[arg(long, value_name = "PLAYER", value_parser = parse_player)]
    from: Option<OtherPlayer>,
    /// Set the winner's wind; E is the dealer
    #[arg(long, value_name = "WIND", default_value = "S", value_parser = parse_wind)]
    seat: Wind,
    /// Set the round's wind
    #[arg(long, value_name = "WIND", default_value = "E", value_parser = parse_wind)]
    round: Wind,
    /// Win in riichi; `double` is a riichi in the first turn
    #[arg(long, value_name = "single|double", num_args = 0..=1, require_equals = true, default_missing_value = "single", value_parser = parse_riichi)]
    riichi: Option<Riichi>,
    /// Show the waits with the riichi, under rules with open riichi
    #[arg(long)]
    open_riichi: bool,
    /// Win after riichi, before the winner's next discard and without a call in between
    #[arg(long)]
    ippatsu: bool,
    /// Set the dora indicators, such as 7s4z
    #[arg(long, value_name = "TILES", default_value = "", hide_default_value = true)]
    dora: String,
    /// Set the ura indicators
    #[arg(long, value_name = "TILES", default_value = "", hide_default_value = true)]
    ura: String,
    /// Win on the last tile: haitei, or houtei by ron
    #[arg(long)]
    haitei: bool,
    /// Win on the replacement tile of a kan
    #[arg(long)]
    rinshan: bool,
    /// Win on the replacement tile of a kita
    #[arg(long)]
    kita_replacement: bool,
    /// Win on a tile that another player declares a kan with
    #[arg(long)]
    chankan: bool,
    /// Win before the winner's first discard and before any call
    #[arg(long)]
    first_turn: bool,
    /// Win on the discard with which another player declares riichi
    #[arg(long)]
    riichi_tile: bool,
    /// Win on the discard after a kan
    #[arg(long)]
    after_kan: bool,
    /// Win on the discard of a player in riichi; matters to open riichi
    #[arg(long)]
    discarder_riichi: bool,
    /// Set how many hands the dealer has won in a row
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = number::<u8>(0..=u8::MAX.into()), allow_negative_numbers = true)]
    dealer_wins: u8,
    /// Set how many Norths the winner has set aside, in a game of three
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = number::<u8>(0..=4), allow_negative_numbers = true)]
    kita: u8,
    /// Set the honba that the winner is paid for
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = number::<u16>(0..=u16::MAX.into()), allow_negative_numbers = true)]
    honba: u16,
    /// Set the riichi sticks that the winner takes
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = number::<u16>(0..=u16::MAX.into()), allow_negative_numbers = true)]
    riichi_sticks: u16,
    /// Name the player who is liable for daisangen, daisuushii, suukantsu or daiminkan
    #[arg(long, value_name = "FOR=PLAYER", value_parser = parse_pao)]
    pao: Vec<Pao>,
}

impl Args {
    pub(super) fn question(&self, hand: &str) -> Question {
        Question {
            by: self.by,
            from: self.from,
            seat: self.seat,
            round: self.round,
            riichi: self.riichi.unwrap_or_default(),
            open_riichi: self.open_riichi,
            ippatsu: self.ippatsu,
            dora: self.dora.clone(),
            ura: self.ura.clone(),
            haitei: self.haitei,
            rinshan: self.rinshan,
            kita_replacement: self.kita_replacement,
            chankan: self.chankan,
            first_turn: self.first_turn,
            riichi_tile: self.riichi_tile,
            after_kan: self.after_kan,
            discarder_riichi: self.discarder_riichi,
            dealer_wins: self.dealer_wins,
            kita: self.kita,
            honba: self.honba,
            riichi_sticks: self.riichi_sticks,
            pao: self.pao.clone(),
            ..Question::new(hand)
        }
    }
}
