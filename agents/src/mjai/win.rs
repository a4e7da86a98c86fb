//! Wins: what a log says that they were worth, and of which tiles.

use jantaku_engine::replay::{RecordedHand, RecordedWin};
use jantaku_engine::{Event, Players, Seat, Tile, TileKind, Yaku};

use super::Hora;
use super::read::{by_seat, check_tiles, seat, shown};

/// The names of yaku. Dragons are counted together under one name, and yakuman of a wider wait have that of the others.
const NAMES: [(Yaku, &str); 47] = {
    use Yaku::{
        Chankan, Chanta, Chiihou, Chiitoitsu, Chinitsu, Chinroutou, Chun, Chuuren, Daisangen, Daisuushii,
        DoubleRiichi, Haitei, Haku, Hatsu, Honitsu, Honroutou, Houtei, Iipeikou, Ippatsu, Ittsuu, Junchan,
        JunseiChuuren, Kokushi, Kokushi13, MenzenTsumo, Pinfu, Renhou, RenhouYakuman, Riichi, Rinshan,
        RoundWind, Ryanpeikou, Ryuuiisou, Sanankou, Sankantsu, SanshokuDoujun, SanshokuDoukou, SeatWind,
        Shousangen, Shousuushii, Suuankou, SuuankouTanki, Suukantsu, Tanyao, Tenhou, Toitoi, Tsuuiisou,
    };
    [
        (Riichi, "reach"),
        (DoubleRiichi, "double_reach"),
        (Ippatsu, "ippatsu"),
        (MenzenTsumo, "menzenchin_tsumoho"),
        (Pinfu, "pinfu"),
        (Tanyao, "tanyaochu"),
        (Iipeikou, "ipeko"),
        (Haku, SANGENPAI),
        (Hatsu, SANGENPAI),
        (Chun, SANGENPAI),
        (SeatWind, "jikaze"),
        (RoundWind, "bakaze"),
        (Haitei, "haiteiraoyue"),
        (Houtei, "hoteiraoyui"),
        (Rinshan, "rinshankaiho"),
        (Chankan, "chankan"),
        (SanshokuDoujun, "sanshokudojun"),
        (Ittsuu, "ikkitsukan"),
        (Chanta, "honchantaiyao"),
        (Chiitoitsu, "chitoitsu"),
        (Toitoi, "toitoiho"),
        (Sanankou, "sananko"),
        (Sankantsu, "sankantsu"),
        (SanshokuDoukou, "sanshokudoko"),
        (Honroutou, "honroto"),
        (Shousangen, "shosangen"),
        (Honitsu, "honiso"),
        (Junchan, "junchantaiyao"),
        (Ryanpeikou, "ryanpeko"),
        (Chinitsu, "chiniso"),
        (Renhou, "renho"),
        (RenhouYakuman, "renho"),
        (Tenhou, "tenho"),
        (Chiihou, "chiho"),
        (Kokushi, "kokushimuso"),
        (Kokushi13, "kokushimuso"),
        (Suuankou, "suanko"),
        (SuuankouTanki, "suanko"),
        (Daisangen, "daisangen"),
        (Shousuushii, "shosushi"),
        (Daisuushii, "daisushi"),
        (Tsuuiisou, "tsuiso"),
        (Chinroutou, "chinroto"),
        (Ryuuiisou, "ryuiso"),
        (Chuuren, "churenpoton"),
        (JunseiChuuren, "churenpoton"),
        (Suukantsu, "sukantsu"),
    ]
};

/// The name of all dragons together.
const SANGENPAI: &str = "sangenpai";

/// The bonus han: by indicators and Norths, by the indicators under them, by red fives.
const BONUS: [&str; 3] = ["dora", "uradora", "akadora"];

/// So many han count a yakuman.
pub(super) const YAKUMAN: u32 = 100;

/// The name of a yaku; our own for those that the server does not know.
fn name(yaku: Yaku) -> &'static str {
    NAMES.iter().find(|(other, _)| *other == yaku).map_or_else(|| yaku.name(), |(_, name)| name)
}

/// A win on the last event of this hand.
pub(super) fn read(hora: &Hora, hand: &RecordedHand, players: Players) -> Result<RecordedWin, String> {
    let winner = seat(hora.actor, players)?;
    let from = Some(seat(hora.target, players)?).filter(|from| *from != winner);
    let tile = hora.pai.map(shown).transpose()?;
    if let Some(told) = &hora.hora_tehais {
        check_tiles("hora_tehais", told, hand, winner)?;
    }
    let yakuman = hora.fan.filter(|fan| *fan >= YAKUMAN);
    if let Some(fan) = yakuman.filter(|fan| fan % YAKUMAN != 0) {
        return Err(format!("{fan} han: expected less than 100, or a hundred for each yakuman"));
    }
    let fu = hora.fu.map(|fu| u8::try_from(fu).map_err(|_| format!("{fu} fu, more than any hand has")));
    let dragons = || dragons(hand, winner, tile.filter(|_| from.is_some()));
    let listed = hora.yakus.as_ref().map(|listed| listed_yaku(listed, &dragons())).transpose()?;
    let listed = listed.filter(|_| yakuman.is_none());
    Ok(RecordedWin {
        winner,
        from,
        tile,
        han: hora.fan.map(|han| if yakuman.is_some() { 0 } else { han }),
        dora: listed.as_ref().map(|(_, bonus)| *bonus),
        yaku: listed.map(|(yaku, _)| yaku),
        fu: fu.transpose()?.filter(|_| yakuman.is_none()),
        points: hora.hora_points,
        limit: None,
        base: None,
        liable: None,
        deltas: hora.deltas.as_ref().map(|deltas| by_seat(deltas, players)).transpose()?,
    })
}

/// The yaku in order with their han, and the bonus han.
type Listed = (Vec<(Yaku, u8)>, [u8; 3]);

fn listed_yaku(listed: &[(String, u32)], dragons: &[Yaku]) -> Result<Listed, String> {
    let (mut yaku, mut bonus) = (Vec::new(), [0; 3]);
    for (told, han) in listed {
        let han = u8::try_from(*han).unwrap_or(u8::MAX);
        if let Some(place) = BONUS.iter().position(|name| name == told) {
            bonus[place] += han.min(100);
        } else if told == SANGENPAI {
            if usize::from(han) != dragons.len() {
                return Err(format!("{han} han by dragons, of which the winner has {}", dragons.len()));
            }
            yaku.extend(dragons.iter().map(|dragon| (*dragon, 1)));
        } else {
            let found = Yaku::all().find(|yaku| name(*yaku) == told);
            yaku.push((found.ok_or_else(|| format!("\"{told}\" is no yaku"))?, han));
        }
    }
    yaku.sort_unstable();
    Ok((yaku, bonus))
}

/// The dragons of which a winner has three.
fn dragons(hand: &RecordedHand, winner: Seat, claimed: Option<Tile>) -> Vec<Yaku> {
    let held = hand.held(winner).unwrap_or_default();
    let has = |dragon: TileKind| {
        let melded = hand.events.iter().any(|event| {
            matches!(event, Event::Call { seat, meld } | Event::Ankan { seat, meld }
                if *seat == winner && meld.low() == dragon)
        });
        melded || held.iter().chain(&claimed).filter(|tile| tile.kind() == dragon).count() >= 3
    };
    let yaku = [(TileKind::WHITE, Yaku::Haku), (TileKind::GREEN, Yaku::Hatsu), (TileKind::RED, Yaku::Chun)];
    yaku.into_iter().filter(|(dragon, _)| has(*dragon)).map(|(_, yaku)| yaku).collect()
}

/// The yaku of a win with their han and the bonus han, as a log lists them: dragons together, each yakuman a hundred.
pub(super) fn listed(win: &RecordedWin) -> Option<Vec<(String, u32)>> {
    let mut listed: Vec<(String, u32)> = Vec::new();
    for (yaku, han) in win.yaku.as_ref()? {
        let han = if yaku.is_yakuman() { YAKUMAN } else { u32::from(*han) };
        match listed.iter_mut().find(|(other, _)| other == SANGENPAI && name(*yaku) == SANGENPAI) {
            Some((_, dragons)) => *dragons += han,
            None => listed.push((name(*yaku).to_owned(), han)),
        }
    }
    let bonus = BONUS.into_iter().zip(win.dora.into_iter().flatten());
    listed.extend(bonus.filter(|(_, han)| *han > 0).map(|(name, han)| (name.to_owned(), u32::from(han))));
    Some(listed)
}
