//! The rules of a room.

use std::iter::once;

use jantaku_agents::field_name;
use jantaku_engine::replay::RecordedGame;
use jantaku_engine::rules::options::Renhou;
use jantaku_engine::{Players, Rules};
use serde_json::Value;

use super::document::{Head, Mode, NewRound};
use crate::logs::settings::Changes;
use crate::logs::{Problem, note_ignored, tenhou};

/// Stands for any number above 0 in [`SETTINGS`].
const POSITIVE: Option<i64> = None;

/// The settings with the values that change the rules, and the fields that they change. `true` is 1, and
/// `#` in a field stands for the value.
const SETTINGS: &[(&str, Option<i64>, &str)] = &[
    ("shiduan", Some(0), "kuitan = false"),
    ("init_point", POSITIVE, "start_points = #\nreturn_points = #"),
    ("jingsuanyuandian", POSITIVE, "return_points = #"),
    ("fandian", POSITIVE, "target = #"),
    ("tianbian_value", POSITIVE, "goal_points = #"),
    ("liqibang_value", POSITIVE, "riichi_stick = #\nriichi_min_points = #"),
    ("can_jifei", Some(0), "tobi = 'Off'"),
    ("have_liujumanguan", Some(0), "nagashi = 'Off'"),
    ("have_qieshangmanguan", Some(1), "kiriage = true"),
    ("have_biao_dora", Some(0), "dora = false"),
    ("have_gang_biao_dora", Some(0), "kan_dora_on = false"),
    ("ming_dora_immediately_open", Some(1), "kan_dora = { ankan = 'Immediate', minkan = 'Immediate' }"),
    ("have_gang_li_dora", Some(0), "kan_ura = false"),
    ("have_li_dora", Some(0), "ura = false\nkan_ura = false"),
    ("have_sifenglianda", Some(0), "suufon = false"),
    ("have_sigangsanle", Some(0), "suukaikan = false"),
    ("have_sijializhi", Some(0), "suucha = false"),
    ("have_jiuzhongjiupai", Some(0), "kyuushu = false"),
    ("have_sanjiahele", Some(1), "triple_ron = 'Abort'\nmax_ron = 2"),
    ("have_toutiao", Some(1), "triple_ron = 'HeadBump'\nmax_ron = 1"),
    ("have_helezhongju", Some(0), "agari_yame = 'Off'"),
    ("have_tingpaizhongju", Some(0), "tenpai_yame = 'Off'"),
    ("have_yifa", Some(0), "ippatsu = false"),
    ("have_nanruxiru", Some(0), "extension = 'None'"),
    ("have_zimosun", Some(0), "tsumo_split = 'Bisect'"),
    ("disable_multi_yukaman", Some(1), "double_yakuman = []\nyakuman_stack = false"),
    ("disable_double_yakuman", Some(1), "double_yakuman = []"),
    ("disable_composite_yakuman", Some(1), "yakuman_stack = false"),
    ("disable_leijiyiman", Some(1), "kazoe = 'Sanbaiman'"),
    ("fanfu", POSITIVE, "min_yaku = #"),
    ("enable_shiti", Some(1), "kuikae = 'Free'"),
    ("enable_nontsumo_liqi", Some(1), "riichi_min_live = 0"),
    ("disable_double_wind_four_fu", Some(1), "double_wind_pair_fu = 2"),
    ("disable_angang_guoshi", Some(1), "ankan_rob = 'None'"),
    ("dora3_mode", POSITIVE, "start_indicators = 3"),
    (
        "guyi_mode",
        POSITIVE,
        "renhou = 'Yakuman'\nlocal_yaku = ['tsubame-gaeshi', 'kanburi', 'shiiaru-raotai', 'uumensai', \
         'sanrenkou', 'isshoku-sanjun', 'iipin-mouyue', 'chuupin-raoyui', 'daisharin', 'daichikurin', \
         'daisuurin', 'ishino-uenimo-sannen', 'daichisei']",
    ),
    ("enable_renhe", Some(1), "renhou = 'Yakuman'"),
    ("enable_renhe", Some(2), "renhou = 'Yakuman'"),
    ("enable_baopai_extend_settings", Some(1), "pao = ['daisangen', 'daisuushii', 'suukantsu']"),
    ("enable_baopai_extend_settings", Some(2), "pao = []"),
];

/// The settings whose rules follow from several of them, or from the number of players.
const COMBINED: &str = "dora_count have_helelianzhuang have_tingpailianzhuang changbang_value noting_fafu_1 noting_fafu_2 \
                        noting_fafu_3 shunweima_2 shunweima_3 shunweima_4";

/// The settings that change no rule: time, help, computer players, hands that all players see.
const WITHOUT_EFFECT: &str = "time_fixed time_add bianjietishi ai_level open_hand";

/// The settings of other games, with the names of those games.
const OTHER_GAMES: &[(&str, &str)] = &[
    ("xuezhandaodi", "Battle of Asura"),
    ("chuanma", "Bloodshed Skirmish"),
    ("huansanzhang", "an exchange of three tiles"),
    ("begin_open_mode", "dealt tiles shown"),
    ("muyu_mode", "Dragon Eye"),
    ("jiuchao_mode", "Mirror Battle"),
    ("reveal_discard", "Night Battle"),
    ("field_spell_mode", "Illusion Legend"),
    ("zhanxing", "Astrology Battle"),
    ("tianming_mode", "Fate Battle"),
    ("yongchang_mode", "Chanting Battle"),
    ("hunzhiyiji_mode", "Soul Strike"),
    ("wanxiangxiuluo_mode", "Realm of Asura"),
    ("beishuizhizhan_mode", "Last Stand"),
    ("amusement_switches", "a special event"),
];

/// Rules that a room may mean, and the settings that they ignore.
pub(super) struct Candidate {
    pub(super) rules: Rules,
    ignored: Vec<&'static str>,
}

/// The rules that a room may mean, the likeliest first: Mahjong Soul's, with the choices of the room.
/// `first` is the first deal, for records without a head. Adds a note for each unknown setting.
///
/// Programs that print records may leave out settings that are off, or print as off all settings that
/// the room does not choose. A room may set both the abort of three rons and head bump, which the rules
/// cannot combine.
///
/// # Errors
///
/// If a setting belongs to another game, or the settings contradict each other.
pub(super) fn of_room(
    head: &Head,
    first: &NewRound,
    players: Players,
    notes: &mut Vec<String>,
) -> Result<Vec<Candidate>, Problem> {
    let mut rules = preset(players);
    let mode = &head.config.mode;
    match mode.mode % 10 {
        1 => rules.wind_rounds = 1,
        4 => rules.wind_rounds = 0,
        _ => {}
    }
    let is_start = [first.chang, first.ju, first.ben, first.liqibang] == [0; 4];
    if let Some(points) = first.scores.first().filter(|_| is_start) {
        (rules.start_points, rules.return_points) = (*points, *points);
    }
    let stated = Stated::read(mode, players, notes)?;
    let as_stated = stated.changes(players, |_| None).apply(&rules)?;
    let zero_if_missing =
        |key: &str| (key.starts_with("have_") || key == "can_jifei" || key == "dora_count").then_some(0);
    let missing_as_off = stated.changes(players, zero_if_missing).apply(&rules);
    let keeping = |is_kept: &dyn Fn(&(&'static str, i64)) -> bool| {
        let kept = Stated(stated.0.iter().copied().filter(is_kept).collect());
        kept.changes(players, |_| None).apply(&rules).ok()
    };
    // Whether a setting that is printed as off changes the rules.
    let matters =
        |off: &&(&'static str, i64)| off.1 == 0 && keeping(&|other| other != *off) != Some(as_stated);
    let ignored: Vec<&str> = stated.0.iter().filter(matters).map(|(key, _)| *key).collect();
    let mut all = vec![Candidate { rules: as_stated, ignored: Vec::new() }];
    if ["have_sanjiahele", "have_toutiao"].map(|key| stated.number(key)) == [Some(1); 2] {
        let ignored = vec!["have_toutiao"];
        all.extend(keeping(&|(key, _)| *key != "have_toutiao").map(|rules| Candidate { rules, ignored }));
    }
    if !stated.0.is_empty() {
        all.extend(missing_as_off.ok().map(|rules| Candidate { rules, ignored: Vec::new() }));
        all.extend(keeping(&|(_, value)| *value != 0).map(|rules| Candidate { rules, ignored }));
    }
    Ok(all)
}

/// The rules of ranked rooms.
fn preset(players: Players) -> Rules {
    let name = if players == Players::Three { "mjsoul-sanma" } else { "mjsoul" };
    Rules::preset(name).expect("the engine has the rules of Mahjong Soul")
}

/// Whether a room states its uma and the points that results are measured against.
pub(super) fn states_uma(mode: &Mode, players: Players) -> bool {
    let stated = Stated::read(mode, players, &mut Vec::new());
    stated.is_ok_and(|stated| {
        stated.number("shunweima_2").is_some()
            && stated.number("jingsuanyuandian").is_some_and(|points| points > 0)
    })
}

/// The settings that a room states, by name, with numbers as values.
struct Stated(Vec<(&'static str, i64)>);

impl Stated {
    fn read(mode: &Mode, players: Players, notes: &mut Vec<String>) -> Result<Stated, Problem> {
        let others = [COMBINED, WITHOUT_EFFECT].into_iter().flat_map(str::split_whitespace);
        let names: Vec<&'static str> = SETTINGS.iter().map(|(key, ..)| *key).chain(others).collect();
        let mut stated = Vec::new();
        for (key, value) in &mode.detail_rule {
            let same = |name: &str| plain(name) == plain(key);
            let number = match value {
                Value::Bool(is_on) => Some(i64::from(*is_on)),
                Value::Array(list) => Some(list.len() as i64),
                value => value.as_i64().filter(|number| i32::try_from(*number).is_ok()),
            };
            if let Some((_, game)) = OTHER_GAMES.iter().find(|(name, _)| same(name)) {
                if number != Some(0) {
                    let given = field_name("rules");
                    return Err(Problem::new(format!(
                        "the setting `{key}` is of another game: {game}; to ignore the settings, give the rules \
                         with {given}"
                    )));
                }
                continue;
            }
            match (names.iter().find(|name| same(name)), number) {
                (Some(name), Some(number)) if is_possible(name, number, players) && !value.is_array() => {
                    stated.push((*name, number));
                }
                _ => note_ignored(notes, format_args!("setting `{key}`: {value}")),
            }
        }
        Ok(Stated(stated))
    }

    fn number(&self, key: &str) -> Option<i64> {
        self.0.iter().find(|(name, _)| *name == key).map(|(_, number)| *number)
    }

    /// The changes of the rules. `missing` is the value of a setting that is not stated.
    fn changes(&self, players: Players, missing: fn(&str) -> Option<i64>) -> Changes {
        let mut changes = Changes::default();
        let number = |key: &str| self.number(key).or_else(|| missing(key));
        let setting = |key: &str, number: i64| format!("setting `{key}` {number}");
        for (key, when, fields) in SETTINGS {
            let applies = |number: &i64| when.map_or(*number > 0, |value| *number == value);
            if let Some(number) = number(key).filter(applies) {
                changes.set(setting(key, number), fields, number);
            }
        }
        if let Some(count) = number("dora_count") {
            changes.set(setting("dora_count", count), &reds(count, players), 0);
        }
        let repeats = ["have_helelianzhuang", "have_tingpailianzhuang"].map(|key| number(key) != Some(0));
        changes.set_renchan(repeats);
        if let Some(ron) = number("changbang_value") {
            let each = ron / (i64::from(players.count()) - 1);
            changes.set_honba(setting("changbang_value", ron), each, players);
        }
        let each = |keys: [&str; 3]| keys.map(number)[..usize::from(players.count()) - 1].to_vec();
        let base = preset(players);
        changes.set_noten(
            "noting_fafu_1..3",
            &each(["noting_fafu_1", "noting_fafu_2", "noting_fafu_3"]),
            &base,
        );
        changes.set_uma("shunweima_2..4", &[each(["shunweima_2", "shunweima_3", "shunweima_4"])], &base);
        changes
    }
}

/// Whether a setting can have this value: on, off, or one of those in [`SETTINGS`]. Only uma is
/// negative, and all payers pay the same honba.
fn is_possible(key: &str, number: i64, players: Players) -> bool {
    let mut rows = SETTINGS.iter().filter(|(name, ..)| *name == key).peekable();
    let is_free = rows.peek().is_none();
    let is_listed = rows.any(|(_, when, _)| [POSITIVE, Some(number)].contains(when));
    match key {
        "changbang_value" => number >= 0 && number % (i64::from(players.count()) - 1) == 0,
        _ if number < 0 => key.starts_with("shunweima"),
        _ => is_free || number < 2 || is_listed,
    }
}

/// A name without the marks of snake case and camel case.
fn plain(name: &str) -> String {
    name.replace('_', "").to_lowercase()
}

/// This many red fives, in TOML: of three, one in each suit; a fourth is of dots. Games for three players
/// have no 5m.
fn reds(count: i64, players: Players) -> String {
    let m = i64::from(players != Players::Three && count > 0);
    let s = i64::from(count > 0);
    format!("aka = {{ m = {m}, p = {}, s = {s} }}", (count - m - s).max(0))
}

/// Gives the game the first rules under which it replays as recorded. Without such rules, it keeps its own.
///
/// It tries each candidate in both lengths (East only, East and South), with and without open tanyao
/// and, if renhou is a yakuman, with lower values of it.
pub(super) fn fit(game: &mut RecordedGame, candidates: &[Candidate]) {
    for Candidate { rules, ignored } in candidates {
        let other_length = Rules { wind_rounds: 3 - rules.wind_rounds.clamp(1, 2), ..*rules };
        let varied = [*rules, other_length]
            .into_iter()
            .flat_map(|rules| [rules.kuitan, !rules.kuitan].map(|kuitan| Rules { kuitan, ..rules }));
        let mangan = [Renhou::ManganFloor, Renhou::HanAlone(5), Renhou::HanAdd(5)];
        let varied = varied.flat_map(|rules| {
            let less = mangan.map(|renhou| Rules { renhou, ..rules });
            once(rules).chain(less.into_iter().filter(move |_| rules.renhou == Renhou::Yakuman))
        });
        if tenhou::first_fit(game, varied).is_some() {
            if !ignored.is_empty() {
                let ignored = ignored.join("`, `");
                game.notes.push(format!("ignored settings that the game contradicts: `{ignored}`"));
            }
            return;
        }
    }
}
