//! The page of a hand: its analysis as text.

use jantaku_engine::{Limit, Rules, Shanten, Wind, Yaku};
use jantaku_show::analysis::{Analysis, DiscardChoice, NoScore, Question, UkeireKind, WinBy, Won};
use jantaku_show::text::{bonus, fu_reason};

use crate::print::{self, thousands, wrapped, wrapped_to};

/// The page for a hand under these rules.
pub(super) fn page(question: &Question, hand: &Analysis, rules: &Rules, rules_name: &str) -> String {
    let mut page = Page(Vec::new());
    page.text("hand", &question.hand);
    page.text("shanten", &shanten(hand));
    if let Some(dora) = question.shown_dora(rules) {
        page.text("dora", &format!("{dora}, by the indicator {}", question.dora));
    }
    // A hand of 14 tiles that does not win shows the ukeire of each discard instead.
    let won = hand.score();
    if !hand.ukeire.is_empty() && (hand.discards.is_empty() || won.is_some()) {
        page.text(if hand.is_tenpai { "waits" } else { "ukeire" }, &tiles(&hand.ukeire));
    }
    for note in notes(question, rules) {
        page.text("note", note);
    }
    match &hand.won {
        Some(Ok(won)) => page.won(question, won, rules, rules_name),
        Some(Err(reason)) => {
            page.gap();
            page.text("value", &no_value(*reason, rules_name));
        }
        None => {}
    }
    if won.is_none() {
        page.discards(&hand.discards);
    }
    page.to_string()
}

/// Facts of the question that change nothing, or that are only half given.
fn notes(question: &Question, rules: &Rules) -> Vec<&'static str> {
    let lacks_dora = rules.max_indicators() > 0 && question.dora.is_empty();
    let notes = [
        (question.ippatsu && !rules.ippatsu, "these rules do not count ippatsu"),
        (
            !question.ura.is_empty() && lacks_dora,
            "each ura indicator is under a dora indicator; ura dora count only with --dora",
        ),
    ];
    notes.into_iter().filter(|(holds, _)| *holds).map(|(_, note)| note).collect()
}

fn no_value(reason: NoScore, rules_name: &str) -> String {
    match reason {
        NoScore::MeldsMissing => "unknown: add the melds".to_owned(),
        NoScore::LastTileMissing => "unknown: write the winning tile after `+`".to_owned(),
        reason => format!("none under {rules_name}: {reason}"),
    }
}

/// `tenpai (four sets 0, seven pairs 3, thirteen orphans 9)`.
fn shanten(hand: &Analysis) -> String {
    if hand.shanten.best == Shanten::COMPLETE {
        return distance(Shanten::COMPLETE);
    }
    let shapes = [
        ("four sets", Some(hand.shanten.standard)),
        ("seven pairs", hand.shanten.seven_pairs),
        ("thirteen orphans", hand.shanten.thirteen_orphans),
    ];
    let shapes: Vec<String> =
        shapes.iter().filter_map(|(shape, shanten)| Some(format!("{shape} {}", shanten.as_ref()?))).collect();
    format!("{} ({})", distance(hand.shanten.best), shapes.join(", "))
}

pub(super) fn distance(shanten: Shanten) -> String {
    match shanten.number() {
        -1 => "complete".to_owned(),
        0 => "tenpai".to_owned(),
        n => format!("{n} from tenpai"),
    }
}

/// `1m×4 4m×3 – 7 tiles`.
fn tiles(ukeire: &[UkeireKind]) -> String {
    let list: Vec<String> = ukeire.iter().map(|u| format!("{}×{}", u.kind, u.left)).collect();
    let left: u32 = ukeire.iter().map(|u| u.left).sum();
    format!("{} – {left} tile{}", list.join(" "), if left == 1 { "" } else { "s" })
}

/// The lines of a page.
struct Page(Vec<PageLine>);

enum PageLine {
    Gap,
    Text(String, String),
    Number(String, String, String),
}

impl Page {
    fn gap(&mut self) {
        self.0.push(PageLine::Gap);
    }

    fn text(&mut self, label: &str, text: &str) {
        self.0.push(PageLine::Text(label.to_owned(), text.to_owned()));
    }

    fn number(&mut self, label: &str, what: String, number: String) {
        self.0.push(PageLine::Number(label.to_owned(), what, number));
    }

    /// Adds lines, the first with the label.
    fn numbers(&mut self, label: &str, lines: Vec<(String, String)>) {
        for (index, (what, number)) in lines.into_iter().enumerate() {
            self.number(if index == 0 { label } else { "" }, what, number);
        }
    }

    fn won(&mut self, question: &Question, won: &Won, rules: &Rules, rules_name: &str) {
        let by = if question.by == WinBy::Ron { "ron" } else { "tsumo" };
        self.text(
            "won",
            &format!("by {by} as {} in the {} round, rules {rules_name}", question.seat, question.round),
        );
        self.gap();
        self.numbers("yaku", yaku(won, rules));
        // The fu of a yakuman have no effect.
        if won.hand.score.yakuman == 0 {
            let parts =
                won.hand.fu_parts.iter().map(|part| (fu_reason(part.reason, &won.hand), part.fu.to_string()));
            self.numbers("fu", parts.collect());
        }
        self.number("value", value(won), thousands(u64::from(won.hand.points.unsigned_abs())));
        self.gap();
        self.numbers("pays", payments(won));
    }

    /// Adds the discards that leave the lowest shanten.
    fn discards(&mut self, discards: &[DiscardChoice]) {
        let Some(best) = discards.first() else { return };
        self.gap();
        let (near, far) = discards.split_at(discards.partition_point(|d| d.shanten == best.shanten));
        for (index, discard) in near.iter().enumerate() {
            let ukeire =
                if discard.ukeire.is_empty() { "no tile left".to_owned() } else { tiles(&discard.ukeire) };
            let text = format!("{}  {}  {ukeire}", discard.tile, distance(discard.shanten));
            self.text(if index == 0 { "discard" } else { "" }, &text);
        }
        if !far.is_empty() {
            let leave = if far.len() == 1 { "other discard leaves" } else { "other discards leave" };
            self.text("", &format!("{} {leave} a higher shanten", far.len()));
        }
    }
}

impl std::fmt::Display for Page {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let width = |line: &PageLine| match line {
            PageLine::Number(_, what, _) => print::columns(what),
            _ => 0,
        };
        // Beside the label there are 11 columns, and for the number 9.
        let room = print::width() - 11 - 9;
        let width = self.0.iter().map(width).max().unwrap_or(0).min(room);
        for line in &self.0 {
            match line {
                PageLine::Gap => writeln!(f)?,
                PageLine::Text(label, text) => f.write_str(&wrapped(&format!("  {label:<9}{text}"), 11))?,
                PageLine::Number(label, what, number) => {
                    let text = wrapped_to(&format!("  {label:<9}{what}"), 12, 11 + width);
                    let mut lines: Vec<&str> = text.lines().collect();
                    let last = lines.pop().unwrap_or_default();
                    lines.iter().try_for_each(|line| writeln!(f, "{line}"))?;
                    writeln!(f, "{}", format!("{}  {number:>7}", print::left(last, 11 + width)).trim_end())?;
                }
            }
        }
        Ok(())
    }
}

/// The yaku and bonus han of a hand.
fn yaku(won: &Won, rules: &Rules) -> Vec<(String, String)> {
    let han = |(yaku, han): &(Yaku, u8)| match han {
        0 if yaku.is_yakuman() => (yaku.to_string(), yakuman(rules.yakuman_multiple(*yaku)).to_owned()),
        // Renhou under rules that give it a fixed limit.
        0 => (yaku.to_string(), String::new()),
        han => (yaku.to_string(), han.to_string()),
    };
    let bonus = bonus(won.hand.score.dora).map(|(name, han)| (name.to_owned(), han.to_string()));
    won.yaku.iter().map(han).chain(bonus).collect()
}

/// The value of a yakuman that counts once or twice.
const fn yakuman(times: u8) -> &'static str {
    if times == 2 { "double yakuman" } else { "yakuman" }
}

fn value(won: &Won) -> String {
    let score = &won.hand.score;
    match (score.yakuman, score.han(), score.limit) {
        (0, 0, limit) => limit.to_string(),
        (0, han, Limit::None) => format!("{han} han {} fu", score.fu),
        (0, han, limit) => format!("{han} han, {limit}"),
        (1, ..) => "yakuman".to_owned(),
        (times, ..) => format!("{times} yakuman"),
    }
}

/// The payments, the riichi sticks and their total.
fn payments(won: &Won) -> Vec<(String, String)> {
    let paid = won.payments;
    let others = if paid.dealer.is_some() { "each other player" } else { "each player" };
    let by_role = [("discarder", paid.discarder), ("dealer", paid.dealer), (others, paid.others)];
    let mut lines: Vec<(String, i32)> =
        by_role.iter().filter_map(|(who, points)| Some(((*who).to_owned(), (*points)?))).collect();
    if lines.is_empty() {
        lines = payments_by_seat(won);
    }
    lines.extend(Some(("riichi sticks".to_owned(), paid.riichi_sticks)).filter(|(_, points)| *points > 0));
    lines.push(("total".to_owned(), paid.total));
    lines.into_iter().map(|(who, points)| (who, thousands(u64::from(points.unsigned_abs())))).collect()
}

/// The payments with a liable player.
fn payments_by_seat(won: &Won) -> Vec<(String, i32)> {
    let who = |seat: usize| {
        let wind = Wind::ALL[seat];
        let is_liable = won.hand.liable.iter().any(|liability| liability.seat.index() == seat);
        let is_discarder = won.hand.from.is_some_and(|from| from.index() == seat);
        match (is_liable, is_discarder) {
            (true, true) => format!("{wind}, liable discarder"),
            (true, false) => format!("{wind}, liable"),
            (false, true) => format!("{wind}, discarder"),
            (false, false) => wind.to_string(),
        }
    };
    let paid = won.hand.payments.enumerate().filter(|(_, points)| **points < 0);
    paid.map(|(seat, points)| (who(seat.index()), -points)).collect()
}
