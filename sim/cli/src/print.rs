//! Numbers, tables and paragraphs as text. Lines fit a terminal of 80 columns where the user's own
//! words do.

use std::time::Duration;

use indicatif::{DecimalBytes, HumanCount, HumanDuration};
use jantaku_agents::{label_of, without_label};
use jantaku_sim::play::Seatings;

/// Columns of a line.
pub(super) const WIDTH: usize = 80;

/// A number with a comma every three digits.
pub(super) fn thousands(number: u64) -> String {
    HumanCount(number).to_string()
}

/// A number and a noun with a plural in s.
pub(super) fn many(number: u64, thing: &str) -> String {
    format!("{} {thing}{}", thousands(number), if number == 1 { "" } else { "s" })
}

/// A time in words, such as `3 minutes`.
pub(super) fn duration(seconds: f64) -> String {
    HumanDuration(Duration::from_secs_f64(seconds)).to_string()
}

/// A short time with its unit, such as `0.41 µs` or `12 ms`.
pub(super) fn seconds(seconds: f64) -> String {
    let (number, unit) = match seconds {
        time if time < 1e-3 => (time * 1e6, "µs"),
        time if time < 1.0 => (time * 1e3, "ms"),
        time => (time, "s"),
    };
    format!("{} {unit}", decimal(number, if number < 10.0 { 2 } else { 0 }))
}

/// Things in a second, such as `1,406 games/s`, or the time of one that takes longer.
pub(super) fn speed(count: u64, seconds: f64, thing: &str) -> String {
    let rate = count as f64 / seconds;
    match rate {
        1.0.. => format!("{} {thing}s/s", decimal(rate, usize::from(rate < 10.0))),
        _ if count > 0 => format!("{} s a {thing}", decimal(1.0 / rate, 1)),
        _ => format!("0 {thing}s/s"),
    }
}

/// A number with this many decimals, and a comma every three digits before them. What is rounded to 0
/// has no minus sign.
pub(super) fn decimal(number: f64, decimals: usize) -> String {
    let text = format!("{number:.decimals$}");
    let is_zero = !text.contains(|digit: char| matches!(digit, '1'..='9' | 'a'..='z'));
    let text = if is_zero { text.trim_start_matches('-') } else { &text };
    let (whole, fraction) = text.split_at(text.find('.').unwrap_or(text.len()));
    let (sign, digits) = whole.split_at(usize::from(whole.starts_with('-')));
    let digits = digits.parse().map_or_else(|_| digits.to_owned(), thousands);
    format!("{sign}{digits}{fraction}")
}

/// [`decimal`] with a sign.
pub(super) fn signed(number: f64, decimals: usize) -> String {
    let text = decimal(number, decimals);
    if text.starts_with('-') { text } else { format!("+{text}") }
}

/// A share in percent; a dash if the whole is 0.
pub(super) fn percent(part: u64, whole: u64) -> String {
    if whole == 0 {
        "–".to_owned()
    } else {
        format!("{} %", decimal(100.0 * part as f64 / whole as f64, 2))
    }
}

/// A mean of points, rounded; a dash if there are none.
pub(super) fn mean(sum: i64, count: u64) -> String {
    if count == 0 { "–".to_owned() } else { decimal(sum as f64 / count as f64, 0) }
}

/// Bytes with a decimal unit, such as `1.50 MB`.
pub(super) fn bytes(count: u64) -> String {
    DecimalBytes(count).to_string()
}

/// The agents with their seats: `greedy` if one plays all seats, else such as `greedy (seats 0, 2),
/// random (seats 1, 3)`.
pub(super) fn agents(of_seats: &[String]) -> String {
    let mut found: Vec<(&str, Vec<String>)> = Vec::new();
    for (seat, agent) in of_seats.iter().enumerate() {
        match found.iter_mut().find(|(known, _)| known == agent) {
            Some((_, seats)) => seats.push(seat.to_string()),
            None => found.push((agent, vec![seat.to_string()])),
        }
    }
    if let [(agent, _)] = found[..] {
        return agent.to_owned();
    }
    let named = found.iter().map(|(agent, seats)| {
        format!("{agent} (seat{} {})", if seats.len() == 1 { "" } else { "s" }, seats.join(", "))
    });
    named.collect::<Vec<_>>().join(", ")
}

/// The most letters of a name in a table.
const MOST_LETTERS: usize = 24;

/// What tables call agents, and the legend.
pub(super) struct AgentNames {
    /// The labels with what tables show and the texts of the agents.
    agents: Vec<(String, String, String)>,
}

impl AgentNames {
    /// Agents by their labels, with their texts. A label that is too long for a table is shown as a
    /// number with the beginning of the user's name, or with the kind of an agent without such a
    /// name. The legend then has the name with the text.
    pub(super) fn new(agents: impl IntoIterator<Item = (String, String)>) -> AgentNames {
        let short = |(number, (label, text)): (usize, (String, String))| {
            let kind = text.split(':').next().unwrap_or_default();
            let is_short = |name: &str| name.chars().count() <= MOST_LETTERS;
            let is_named = label != text && !label.starts_with(&format!("{text} #"));
            match () {
                () if is_short(&label) => (label.clone(), label, text),
                () if is_named => {
                    let number = format!("[{number}] ");
                    let shown = number.clone() + &cut(&label, MOST_LETTERS - number.chars().count());
                    let text = format!("{label}={text}");
                    (label, shown, text)
                }
                () if is_short(kind) => (label, format!("[{number}] {kind}"), text),
                () => (label, format!("[{number}]"), text),
            }
        };
        AgentNames { agents: (1..).zip(agents).map(short).collect() }
    }

    /// The agents with these names, each once.
    pub(super) fn of<'a>(agents: impl IntoIterator<Item = &'a String>) -> AgentNames {
        let mut found: Vec<&String> = Vec::new();
        for agent in agents {
            if !found.contains(&agent) {
                found.push(agent);
            }
        }
        AgentNames::new(
            found.into_iter().map(|agent| (label_of(agent).to_owned(), without_label(agent).to_owned())),
        )
    }

    /// What tables call the agents of the seats.
    pub(super) fn of_seats(&self, names: &[String]) -> Vec<String> {
        names.iter().map(|name| self.shown(label_of(name)).to_owned()).collect()
    }

    /// The agents of a run: those of the seats, or those that change seats, such as `greedy, random
    /// (1-v-rest)`.
    pub(super) fn players(&self, names: &[String], seatings: Seatings) -> String {
        let shown = self.of_seats(names);
        match seatings {
            Seatings::Fixed => agents(&shown),
            _ => format!("{} ({})", shown.join(", "), seatings.name()),
        }
    }

    /// What tables call a group of players or hands, such as `agent greedy`.
    pub(super) fn group(&self, group: &str) -> String {
        match group.strip_prefix("agent ") {
            Some(label) => format!("agent {}", self.shown(label)),
            None => group.to_owned(),
        }
    }

    /// What tables call the agent with this label.
    pub(super) fn shown<'a>(&'a self, label: &'a str) -> &'a str {
        self.agents.iter().find(|(own, ..)| own == label).map_or(label, |(_, shown, _)| shown)
    }

    /// The agents as tables call them.
    pub(super) fn all(&self) -> String {
        self.agents.iter().map(|(_, shown, _)| shown.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// A line with the whole text of each agent that tables call otherwise.
    pub(super) fn legend(&self) -> String {
        // Equal agents have a number.
        let is_other = |(_, shown, text): &&(String, String, String)| {
            shown != text && !shown.starts_with(&format!("{text} #"))
        };
        let others: Vec<_> = self.agents.iter().filter(is_other).collect();
        let width = others.iter().map(|(_, shown, _)| shown.chars().count()).max().unwrap_or(0);
        let lines: Vec<_> =
            others.iter().map(|(_, shown, text)| format!("  {shown:<width$}  {text}\n")).collect();
        lines.concat()
    }
}

/// Lines of text, broken at spaces, but not between backticks, which hold what a user copies.
/// Further lines of a broken line begin with `indent` spaces.
pub(super) fn wrapped(text: &str, indent: usize) -> String {
    text.lines().map(|line| wrapped_line(line, indent, WIDTH)).collect()
}

/// [`wrapped`], except rows of tables: lines with columns after at least `margin` spaces. A row
/// stays in one line.
pub(super) fn wrapped_beside_tables(text: &str, indent: usize, margin: usize) -> String {
    let is_row = |line: &str| {
        let content = line.trim();
        line.len() - line.trim_start().len() >= margin && content.contains("  ")
    };
    let whole = |line: &str| format!("{}\n", line.trim_end());
    let lines = text.lines();
    lines.map(|line| if is_row(line) { whole(line) } else { wrapped_line(line, indent, WIDTH) }).collect()
}

/// Lines of text as comments of a TOML file. Further lines of a broken line begin with `indent`
/// more spaces.
pub(super) fn comment(text: &str, indent: usize) -> String {
    let lines: String = text.lines().map(|line| wrapped_line(line, indent, WIDTH - 2)).collect();
    lines.lines().flat_map(|line| ["# ", line, "\n"]).collect()
}

fn wrapped_line(line: &str, indent: usize, most: usize) -> String {
    let (mut text, mut width) = (String::new(), 0);
    for piece in words(line) {
        let word = piece.trim_end().chars().count();
        if word > 0 && width > indent && width + word > most {
            text.truncate(text.trim_end().len());
            text += &format!("\n{:indent$}", "");
            width = indent;
        }
        text += &piece;
        width += piece.chars().count();
    }
    text.truncate(text.trim_end().len());
    text + "\n"
}

/// The words of a line, each with the space after it. A text between backticks is one word.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut is_quoted) = (vec![String::new()], false);
    for letter in line.chars() {
        is_quoted ^= letter == '`';
        words.last_mut().expect("at least one").push(letter);
        if letter == ' ' && !is_quoted {
            words.push(String::new());
        }
    }
    words
}

/// Rows of cells as lines: the first column aligned left, the others right.
///
/// A first cell that would make the lines too long is cut.
pub(super) fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widest = |cells: &mut dyn Iterator<Item = &String>| cells.map(|cell| cell.chars().count()).max();
    let mut widths: Vec<usize> = (0..columns)
        .map(|column| widest(&mut rows.iter().filter_map(|row| row.get(column))).unwrap_or(0))
        .collect();
    let others: usize = widths.iter().skip(1).map(|width| 2 + width).sum();
    let most = WIDTH.saturating_sub(2 + others).max(MOST_LETTERS);
    if let Some(first) = widths.first_mut() {
        let mut cells = rows.iter().filter(|row| row.len() > 1).map(|row| &row[0]);
        *first = widest(&mut cells).unwrap_or(0).min(most);
    }
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (text, width))| match column {
            0 if row.len() > 1 => format!("{:<width$}", cut(text, *width)),
            0 => text.clone(),
            _ => format!("{text:>width$}"),
        });
        format!("  {}\n", cells.collect::<Vec<_>>().join("  ").trim_end())
    };
    rows.iter().map(line).collect()
}

/// At most this many letters of a text.
fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_singular() {
        for (number, text) in [(0, "0 games"), (1, "1 game"), (2000, "2,000 games")] {
            assert_eq!(many(number, "game"), text);
        }
    }

    #[test]
    fn slow_things_have_a_time() {
        for (count, seconds, text) in [
            (14_060, 10.0, "1,406 games/s"),
            (45, 10.0, "4.5 games/s"),
            (4, 50.0, "12.5 s a game"),
            (0, 50.0, "0 games/s"),
        ] {
            assert_eq!(speed(count, seconds, "game"), text);
        }
    }

    #[test]
    fn numbers_have_one_format() {
        let shown = [decimal(25_000.0, 0), decimal(-1_234.567, 2), decimal(0.5, 3), decimal(-0.25, 1)];
        assert_eq!(shown, ["25,000", "-1,234.57", "0.500", "-0.2"]);
        assert_eq!([decimal(-0.04, 1), signed(-0.4, 0), signed(-0.0, 1)], ["0.0", "+0", "+0.0"]);
        assert_eq!([signed(1_500.0, 1), signed(-0.25, 2), signed(0.0, 0)], ["+1,500.0", "-0.25", "+0"]);
        assert_eq!([percent(1, 8), percent(0, 0), mean(-80_000, 3)], ["12.50 %", "–", "-26,667"]);
    }

    #[test]
    fn agents_have_their_seats() {
        let shown = |names: &str| agents(&names.split(' ').map(str::to_owned).collect::<Vec<_>>());
        assert_eq!(shown("greedy greedy greedy"), "greedy");
        assert_eq!(shown("a b a c"), "a (seats 0, 2), b (seat 1), c (seat 3)");
    }

    #[test]
    fn long_agents_have_a_number_and_a_legend() {
        let long = "mjai:command=\"./a-very-long-command with words\"";
        let agents = [("greedy", "greedy"), ("greedy #2", "greedy"), ("mine", long), (long, long)];
        let names = AgentNames::new(agents.map(|(label, text)| (label.to_owned(), text.to_owned())));
        assert_eq!(names.all(), "greedy, greedy #2, mine, [4] mjai");
        assert_eq!([names.shown(long), names.shown("other")], ["[4] mjai", "other"]);
        assert_eq!(names.legend(), format!("  mine      {long}\n  [4] mjai  {long}\n"));
    }

    #[test]
    fn long_names_of_the_user_stay() {
        let name = "the-bot-that-I-trained-in-October";
        let agents = [format!("{name}=greedy:calls=off"), "random".to_owned()];
        let names = AgentNames::of(&agents);
        assert_eq!(names.all(), "[1] the-bot-that-I-trai…, random");
        assert_eq!(names.group(&format!("agent {name}")), "agent [1] the-bot-that-I-trai…");
        assert_eq!(names.legend(), format!("  [1] the-bot-that-I-trai…  {name}=greedy:calls=off\n"));
    }

    #[test]
    fn columns_line_up() {
        let rows = [vec!["a".to_owned(), "1".to_owned()], vec!["long".to_owned(), "23".to_owned()]];
        assert_eq!(table(&rows), "  a      1\n  long  23\n");
    }

    #[test]
    fn no_row_breaks_in_two() {
        let rows = [["name", "value"], [&"n".repeat(90), "12"], ["b", "3"]];
        let rows: Vec<Vec<String>> = rows.iter().map(|row| row.map(str::to_owned).to_vec()).collect();
        let (cut, pad) = ("n".repeat(70) + "…", " ".repeat(67));
        assert_eq!(table(&rows), format!("  name{pad}  value\n  {cut}     12\n  b{pad}         3\n"));
        assert!(table(&rows).lines().all(|line| line.chars().count() <= WIDTH));
    }

    #[test]
    fn rows_beside_text_stay_whole() {
        let (row, words) = (format!("    {}  end", "cell  ".repeat(15)), "word ".repeat(20));
        let text = wrapped_beside_tables(&format!("{row}\n    {words}\nhead  {words}"), 2, 4);
        assert!(text.lines().any(|line| line == row), "{text}");
        assert_eq!(text.lines().count(), 5, "{text}");
    }

    #[test]
    fn what_is_copied_stays_in_one_line() {
        let command = "`selfplay --resume --out a/folder`";
        let text = wrapped(&format!("{} {command} plays the rest", "word ".repeat(13)), 2);
        assert!(text.lines().any(|line| line.contains(command)), "{text}");
    }

    #[test]
    fn runs_name_each_agent_once() {
        let agents = ["mine=greedy:calls=off", "random", "mine=greedy:calls=off"].map(str::to_owned);
        let names = AgentNames::of(&agents);
        assert_eq!(names.players(&agents, Seatings::Fixed), "mine (seats 0, 2), random (seat 1)");
        assert_eq!(names.players(&agents[..2], Seatings::OneVersusRest), "mine, random (1-v-rest)");
        assert_eq!([names.group("agent mine"), names.group("seat 0")], ["agent mine", "seat 0"]);
        assert_eq!(names.legend(), "  mine  greedy:calls=off\n");
    }

    #[test]
    fn long_lines_are_broken_at_spaces() {
        let words = ["nine char"; 10].join(" ");
        let broken = wrapped(&format!("short\n{words}"), 2);
        assert!(broken.starts_with("short\nnine"), "{broken}");
        assert!(broken.lines().all(|line| line.chars().count() <= WIDTH), "{broken}");
        assert!(broken.lines().nth(2).is_some_and(|line| line.starts_with("  ")), "{broken}");
        assert_eq!(
            broken.split_whitespace().collect::<Vec<_>>(),
            format!("short {words}").split(' ').collect::<Vec<_>>()
        );
        let path = "p".repeat(90);
        assert_eq!(wrapped(&format!("{path} {path}"), 2), format!("{path}\n  {path}\n"));
    }
}
