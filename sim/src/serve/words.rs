//! The words of the lists and the form, in three languages.

use jantaku_engine::{Players, Wind};
use jantaku_show::text;

/// The words of one language.
pub(super) struct Words {
    pub(super) tag: &'static str,
    pub(super) title: &'static str,
    pub(super) sit_down: &'static str,
    pub(super) rules: &'static str,
    pub(super) opponents: [&'static str; 3],
    pub(super) seat: &'static str,
    /// A random seat, then the winds of the first hand.
    pub(super) seats: [&'static str; 5],
    pub(super) hints: &'static str,
    pub(super) clock: &'static str,
    pub(super) none: &'static str,
    /// Before the seconds for each decision, and before the spare ones.
    pub(super) seconds: [&'static str; 2],
    pub(super) seed: &'static str,
    pub(super) random: &'static str,
    pub(super) start: &'static str,
    pub(super) tables: &'static str,
    /// With `{n}` for the number of the hand.
    pub(super) hand: &'static str,
    pub(super) over: &'static str,
    pub(super) review: &'static str,
    pub(super) games: &'static str,
    pub(super) game: &'static str,
    pub(super) of: &'static str,
    pub(super) running: &'static str,
    /// A run that no program writes now.
    pub(super) stopped: &'static str,
    /// With `{n}` for the games that were counted.
    pub(super) more_than: &'static str,
    /// With `{n}` for the games of a run that cannot be shown.
    pub(super) no_decisions: &'static str,
    /// The latest complete game, and the game in play, with `{n}` for their numbers.
    pub(super) latest: &'static str,
    pub(super) in_play: &'static str,
    pub(super) play_on: &'static str,
    /// The form to play on from a log or a position.
    pub(super) rest_is_dealt: &'static str,
    /// A hand, with `{wind}` for the round wind and `{n}` for its number there.
    hand_of_round: &'static str,
    /// Its honba, with `{n}`.
    honba: &'static str,
    /// The report before the first part is complete.
    pub(super) no_figures: &'static str,
    /// The report of all figures.
    pub(super) report: &'static str,
    pub(super) next: &'static str,
    pub(super) previous: &'static str,
    pub(super) back: &'static str,
}

const ENGLISH: Words = Words {
    tag: "en",
    title: "Jantaku",
    sit_down: "Sit down at a table",
    rules: "Rules",
    opponents: ["Right", "Opposite", "Left"],
    seat: "Your seat",
    seats: ["random", "East", "South", "West", "North"],
    hints: "Hints",
    clock: "Clock",
    none: "none",
    seconds: ["s for each decision,", "s more in each hand"],
    seed: "Seed",
    random: "random",
    start: "Start",
    tables: "Tables",
    hand: "hand {n}",
    over: "over",
    review: "Review",
    games: "Games",
    game: "Game",
    of: "of",
    running: "running",
    stopped: "not complete",
    more_than: "more than {n}",
    no_decisions: "{n} games without decisions, which cannot be shown: the run was written without --log decisions",
    latest: "Latest complete game: {n}",
    in_play: "Game in play: {n}",
    play_on: "Play on from here",
    rest_is_dealt: "What the game does not show is dealt at random: the rest of the wall, and hidden hands.",
    hand_of_round: "{wind} {n}",
    honba: ", {n} honba",
    no_figures: "No part is complete yet, so there are no figures.",
    report: "All figures",
    next: "Next",
    previous: "Previous",
    back: "Back",
};

const JAPANESE: Words = Words {
    tag: "ja",
    title: "Jantaku",
    sit_down: "卓につく",
    rules: "ルール",
    opponents: ["下家", "対面", "上家"],
    seat: "あなたの席",
    seats: ["ランダム", "東", "南", "西", "北"],
    hints: "助言",
    clock: "持ち時間",
    none: "なし",
    seconds: ["秒（一手ごと）", "秒（一局ごと）"],
    seed: "シード",
    random: "ランダム",
    start: "対局開始",
    tables: "対局",
    hand: "{n}局目",
    over: "終了",
    review: "検討",
    games: "牌譜",
    game: "ゲーム",
    of: "／",
    running: "進行中",
    stopped: "未完了",
    more_than: "{n}以上",
    no_decisions: "{n}ゲーム。打牌の記録がないので表示できません（--log decisions なしの記録）",
    latest: "最新の完了ゲーム：{n}",
    in_play: "進行中のゲーム：{n}",
    play_on: "ここから打つ",
    rest_is_dealt: "記録にない牌（残りの山と伏せられた手牌）はランダムに配られます。",
    hand_of_round: "{wind}{n}局",
    honba: " {n}本場",
    no_figures: "まだ完了した部分がないので、統計はありません。",
    report: "すべての統計",
    next: "次",
    previous: "前",
    back: "戻る",
};

const CHINESE: Words = Words {
    tag: "zh",
    title: "Jantaku",
    sit_down: "入座",
    rules: "规则",
    opponents: ["下家", "对家", "上家"],
    seat: "你的座位",
    seats: ["随机", "东", "南", "西", "北"],
    hints: "提示",
    clock: "计时",
    none: "无",
    seconds: ["秒（每步）", "秒（每局）"],
    seed: "种子",
    random: "随机",
    start: "开始",
    tables: "对局",
    hand: "第{n}局",
    over: "已结束",
    review: "复盘",
    games: "牌谱",
    game: "对局",
    of: "／",
    running: "进行中",
    stopped: "未完成",
    more_than: "超过 {n}",
    no_decisions: "{n} 局，没有每一步的记录，无法显示（未用 --log decisions 写入）",
    latest: "最近完成的对局：{n}",
    in_play: "正在进行的对局：{n}",
    play_on: "从这里继续",
    rest_is_dealt: "记录中没有的牌（剩余的牌山和未公开的手牌）随机分配。",
    hand_of_round: "{wind}{n}局",
    honba: " {n}本场",
    no_figures: "还没有完成的部分，所以没有统计。",
    report: "全部统计",
    next: "下一页",
    previous: "上一页",
    back: "返回",
};

impl Words {
    /// The first language of a browser that there are words for, by its header `Accept-Language`.
    pub(super) fn of(accepted: Option<&str>) -> &'static Words {
        let mut tags = accepted.unwrap_or_default().split(',').map(str::trim);
        let known =
            |tag: &str| [&ENGLISH, &JAPANESE, &CHINESE].into_iter().find(|of| tag.starts_with(of.tag));
        tags.find_map(known).unwrap_or(&ENGLISH)
    }

    /// A wind.
    pub(super) const fn wind(&self, wind: Wind) -> &'static str {
        self.seats[1 + wind as usize]
    }

    /// The name of a hand, such as `East 2, 1 honba`. Without honba it is the round alone.
    pub(super) fn hand_name(&self, round: u16, honba: u16, players: Players) -> String {
        let (wind, number) = text::hand_number(round, players.count());
        let name = self.hand_of_round.replace("{wind}", self.wind(wind)).replace("{n}", &number.to_string());
        let honba = if honba > 0 { self.honba.replace("{n}", &honba.to_string()) } else { String::new() };
        name + &honba
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hands_have_names() {
        let name = |words: &Words, round, honba| words.hand_name(round, honba, Players::Four);
        assert_eq!(name(&ENGLISH, 1, 1), "East 2, 1 honba");
        assert_eq!((name(&JAPANESE, 5, 2), name(&CHINESE, 4, 0)), ("南2局 2本場".into(), "南1局".into()));
        assert_eq!(ENGLISH.hand_name(3, 0, Players::Three), "South 1");
    }

    #[test]
    fn the_first_known_language_counts() {
        let tag = |accepted| Words::of(accepted).tag;
        assert_eq!(tag(Some("ja,en-US;q=0.9")), "ja");
        assert_eq!(tag(Some("de-DE, zh-CN;q=0.8, en;q=0.5")), "zh");
        assert_eq!((tag(Some("fr")), tag(None)), ("en", "en"));
    }
}
