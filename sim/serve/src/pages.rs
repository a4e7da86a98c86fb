//! The list of tables and games, the form of a new table, and results so far. Scripts only update the pages.

use std::fmt::Display;

use jantaku_agents::{NamedAgent, label_of, without_label};
use jantaku_engine::rules::Preset;
use jantaku_engine::{Players, Seat};
use jantaku_pages::html::{escaped, policy};
use jantaku_show::Sentence;
use serde_json::{Value, json};

use super::result::ResultSoFar;
use super::source::{Contents, Progress};
use super::start::Start;
use super::table_config::{CLOCKS, Offer, TableSetup};
use super::table_form::{Place, PlaceOf};
use super::words::Words;
use jantaku_measure::reports::page::{PageError, headline};
use jantaku_pages::report::{STYLE as REPORT_STYLE, shown};
use jantaku_sim::run::NamedRules;

const STYLE: &str = include_str!("pages.css");
const SCRIPT: &str = include_str!("pages.js");

/// The mean placement of agents against three of `heuristic`, as `docs/strength.md` states it.
const STRENGTHS: [(&str, f32); 10] = [
    ("residual", 2.45),
    ("heuristic", 2.5),
    ("graded:level=5", 2.66),
    ("graded:level=4", 2.84),
    ("greedy", 2.96),
    ("graded:level=3", 3.1),
    ("graded:level=2", 3.24),
    ("graded:level=1", 3.37),
    ("random", 3.9),
    ("tsumogiri", 3.89),
];

/// The most games that a page lists.
pub(super) const MAX_GAMES: u64 = 100;

/// A table in the list.
pub(super) struct TableRow<'a> {
    pub(super) name: &'a str,
    pub(super) setup: &'a TableSetup,
    pub(super) hands: u32,
    pub(super) is_over: bool,
}

/// A row in a list of runs, logs and leagues.
pub(super) struct SourceRow {
    pub(super) number: usize,
    pub(super) name: String,
    pub(super) state: String,
}

/// A page with this head and content.
///
/// A page that changes has a state, `live`. A script asks for the state from time to time, and replaces the
/// content when the state differs. Without scripts, the page of a run in progress reloads itself.
fn page(words: &Words, title: &str, live: Option<&Value>, head: &str, content: &str) -> String {
    let style = format!("{REPORT_STYLE}{STYLE}");
    let policy = policy(&style, SCRIPT, "connect-src 'self'; form-action 'self'");
    let (lang, title) = (words.tag, shown(title));
    let state =
        live.map_or_else(String::new, |state| format!(" data-state=\"{}\"", escaped(&state.to_string())));
    let is_running = live.is_some_and(|state| state["progress"] == json!(Progress::Running));
    let without_script =
        if is_running { "<noscript><meta http-equiv=\"refresh\" content=\"5\"></noscript>\n" } else { "" };
    format!(
        "<!doctype html>\n<html lang=\"{lang}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n{without_script}\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n\
         <style>{style}</style>\n</head>\n<body>\n<header>\n<h1>{title}</h1>\n{head}</header>\n<main{state}>\n{content}</main>\n\
         <script>{SCRIPT}</script>\n</body>\n</html>\n"
    )
}

/// The first page: the form of a new table, the tables and the sources. `state` is what it polls.
pub(super) fn index(
    words: &Words,
    offer: &Offer,
    tables: &[TableRow<'_>],
    sources: &[SourceRow],
    state: &Value,
) -> String {
    let mut content = String::new();
    if !tables.is_empty() {
        content += &format!("<h2>{}</h2>\n<ul>\n", words.tables);
        tables.iter().rev().for_each(|table| content += &table_line(words, table));
        content += "</ul>\n";
    }
    if !sources.is_empty() {
        content += &format!("<h2>{}</h2>\n{}", words.games, source_list(sources));
    }
    page(words, "Jantaku", Some(state), &(form(words, offer) + &log_form(words, b"")), &content)
}

/// The form that sends a log. `text` fills its text field.
pub(super) fn log_form(Words { open, open_help, log_text, log_file, .. }: &Words, text: &[u8]) -> String {
    let text = escaped(&String::from_utf8_lossy(text));
    format!(
        "<h2>{open}</h2>\n<form method=\"post\" action=\"/games\" enctype=\"multipart/form-data\">\n\
         <p class=\"quiet\">{open_help}</p>\n<label><span>{log_text}</span><textarea name=\"text\">{text}</textarea></label>\n\
         <label><span>{log_file}</span><input type=\"file\" name=\"file\"></label>\n<button>{open}</button>\n</form>\n"
    )
}

fn table_line(words: &Words, table: &TableRow<'_>) -> String {
    let TableRow { name, setup, hands, is_over } = table;
    let agents = setup.agents.iter().map(|name| shown(label_of(name))).collect::<Vec<_>>().join(", ");
    let rules = shown(&setup.rules_name);
    let state = if *is_over { words.over.to_owned() } else { words.sentence("hand-in-play", hands) };
    let review = if *is_over {
        format!(" · <a href=\"/tables/{name}/review\">{}</a>", words.review)
    } else {
        String::new()
    };
    format!(
        "<li><a href=\"/tables/{name}\">{name}</a> <small>{rules}: {agents}; {state}{review}</small></li>\n"
    )
}

/// The form of a new table. Its values are indices into the lists of the offer.
fn form(words: &Words, offer: &Offer) -> String {
    let rules: Vec<String> = offer.rules.iter().map(|rules| rules_text(words, rules)).collect();
    let mut rows = select(words.rules, "rules", rules.iter().map(String::as_str), 0);
    rows += &opponents(words, offer, &[0, 1, 2]);
    rows += &select(words.seat, "seat", words.seats.iter().copied(), 0);
    rows += &hints_and_clock(words, offer);
    rows += &seed(words);
    form_of(words, words.sit_down, &rows)
}

/// Rules by their name and, of a preset, a sentence.
fn rules_text(words: &Words, NamedRules { name, rules }: &NamedRules) -> String {
    let preset = Preset::named(name).filter(|preset| preset.rules() == *rules);
    let title = |preset: &Preset| words.presets.get(preset.name).map_or(preset.title(), |title| *title);
    preset.map_or_else(|| name.clone(), |preset| format!("{name}: {}", title(preset)))
}

/// The page of an error. A reason with a key is in the language of the page, another one in English. The HTML
/// of `more` follows.
pub(super) fn error(words: &Words, title: &str, why: impl Into<Sentence>, more: &str) -> String {
    let (why, back) = (why.into(), words.back);
    let lang = why.key().map_or("en", |_| words.tag);
    let why = shown(&why.in_language(lang));
    let head =
        format!("<p><a href=\"/\">{back}</a></p>\n<p role=\"alert\" lang=\"{lang}\">{why}</p>\n{more}");
    page(words, title, None, &head, "")
}

/// The choice of the seed.
fn seed(words: &Words) -> String {
    let (seed, random) = (words.seed, words.random);
    format!(
        "<label><span>{seed}</span><input name=\"seed\" inputmode=\"numeric\" pattern=\"[0-9]{{0,19}}\" \
         placeholder=\"{random}\"></label>\n"
    )
}

fn form_of(words: &Words, title: &str, rows: &str) -> String {
    let start = words.start;
    format!(
        "<h2>{title}</h2>\n<form method=\"post\" action=\"/tables\">\n{rows}<button>{start}</button>\n</form>\n"
    )
}

/// The choices of the agents in some seats: 0 is on the right, 1 opposite and 2 on the left.
fn opponents(words: &Words, offer: &Offer, chairs: &[usize]) -> String {
    let names: Vec<String> = offer.agents.iter().map(with_strength).collect();
    let names = || names.iter().map(String::as_str);
    let seat = |chair: &usize| select(words.opponents[*chair], &format!("opponent{chair}"), names(), 0);
    chairs.iter().map(seat).collect::<String>() + &format!("<p class=\"quiet\">{}</p>\n", words.strength)
}

/// An agent, and how strong it is if that was measured.
fn with_strength(agent: &NamedAgent) -> String {
    let known = STRENGTHS.iter().find(|(name, _)| *name == without_label(agent.name()));
    known.map_or_else(|| agent.label().to_owned(), |(_, place)| format!("{} ({place:.2})", agent.label()))
}

/// The choices of hints and clock.
fn hints_and_clock(words: &Words, offer: &Offer) -> String {
    let names = offer.agents.iter().map(NamedAgent::label);
    let [each, more] = words.seconds;
    let clocks = CLOCKS.map(|clock| match clock {
        None => words.none.to_owned(),
        Some(limit) => format!("{} {each} {} {more}", limit.seconds, limit.spare),
    });
    select(words.hints, "hints", std::iter::once(words.none).chain(names), 1)
        + &select(words.clock, "clock", clocks.iter().map(String::as_str), 0)
}

/// The form of a table that continues a game from a decision. It names the hand and lists the seats by their
/// winds in that hand; the deciding seat is preselected.
pub(super) fn play_on(words: &Words, offer: &Offer, Place { of, decision }: &Place, start: &Start) -> String {
    let Start { place, names, .. } = start;
    let players = start.rules.rules.players;
    let chairs: &[usize] = match players {
        Players::Two => &[1],
        Players::Three => &[0, 1],
        Players::Four => &[0, 1, 2],
    };
    let hidden = |name: &str, value: &dyn Display| {
        format!("<input type=\"hidden\" name=\"{name}\" value=\"{value}\">\n")
    };
    let (fields, back, game) = match of {
        PlaceOf::Source(number, game) => (
            hidden("source", number) + &hidden("game", game),
            format!("/games/{number}/{game}"),
            format!("{} {game}", words.game),
        ),
        PlaceOf::Table(name) => (hidden("table", name), format!("/tables/{name}/review"), name.clone()),
    };
    let seat = |seat: Seat| {
        let wind = words.wind(seat.wind(place.dealer, players));
        let name = names.get(seat.index()).map(|name| label_of(name)).filter(|name| !name.is_empty());
        name.map_or_else(|| wind.to_owned(), |name| format!("{wind}: {name}"))
    };
    let seats: Vec<String> = players.seats().map(seat).collect();
    let seats = seats.iter().map(String::as_str);
    let rows = fields
        + &hidden("decision", decision)
        + &select(words.seat, "seat", seats, place.seat.index())
        + &opponents(words, offer, chairs)
        + &hints_and_clock(words, offer)
        + &if start.is_dealt { seed(words) } else { String::new() };
    let hand = words.hand_name(place.round, place.honba, players);
    let title = format!("{game}, {hand}, #{decision}");
    let back = format!("<p><a href=\"{back}#decision={decision}\">{}</a></p>\n", words.back);
    let note = words.sentence("rest-is-dealt", &"");
    let note = if start.is_dealt { format!("<p>{note}</p>\n") } else { String::new() };
    page(words, &title, None, &(back + &note + &form_of(words, words.play_on, &rows)), "")
}

fn select<'a>(label: &str, name: &str, options: impl Iterator<Item = &'a str>, chosen: usize) -> String {
    let option = |(value, text): (usize, &str)| {
        let selected = if value == chosen { " selected" } else { "" };
        format!("<option value=\"{value}\"{selected}>{}</option>", shown(text))
    };
    let options: String = options.enumerate().map(option).collect();
    format!("<label><span>{label}</span><select name=\"{name}\">{options}</select></label>\n")
}

/// How many games a source has, as text.
pub(super) fn state(words: &Words, contents: &Contents) -> String {
    let games = contents.games;
    let progress = match contents.progress {
        Progress::Complete if contents.has_more => return words.sentence("more-than", &games),
        Progress::Complete => return games.to_string(),
        Progress::Running => words.running,
        Progress::Stopped => words.stopped,
    };
    match contents.planned {
        Some(planned) => format!("{games} {} {planned}, {progress}", words.of),
        None => format!("{games}, {progress}"),
    }
}

/// The page of a source: how far it is, its result so far, and its games or tables.
pub(super) struct SourcePage<'a> {
    pub(super) number: usize,
    pub(super) name: &'a str,
    pub(super) contents: &'a Contents,
    pub(super) result: Option<&'a ResultSoFar>,
    /// The tables of a league.
    pub(super) tables: &'a [SourceRow],
    /// The number of the game in play, if it can be shown.
    pub(super) in_play: Option<u64>,
    /// Whether the games can be reviewed.
    pub(super) has_reviews: bool,
}

impl SourcePage<'_> {
    /// The page, with the games from this one on.
    ///
    /// # Errors
    ///
    /// If the result cannot be shown.
    pub(super) fn html(&self, words: &Words, from: u64) -> Result<String, PageError> {
        let SourcePage { number, name, contents, result, tables, .. } = self;
        let agents = contents.agents.iter().map(|name| shown(label_of(name))).collect::<Vec<_>>().join(", ");
        let mut content = format!("<p>{agents}</p>\n");
        if contents.progress != Progress::Complete {
            content += &format!("<p>{}{}</p>\n{}", bar(contents), state(words, contents), self.latest(words));
        }
        if let Some(result) = result {
            content += &format!("<div lang=\"en\">{}</div>\n", headline(result.kind, &result.json)?);
            content += &format!("<p><a href=\"/games/{number}/report\">{}</a></p>\n", words.report);
        }
        if !tables.is_empty() {
            content += &format!("<h2>{}</h2>\n{}", words.tables, source_list(tables));
        } else if contents.has_decisions {
            content += &format!("<h2>{}</h2>\n{}", words.games, self.games(words, from));
        } else {
            content += &format!("<p>{}</p>\n", words.sentence("no-decisions", &contents.games));
        }
        let live = (contents.progress != Progress::Complete).then(|| contents.state());
        let head = format!("<p><a href=\"/\">{}</a></p>\n", words.back);
        Ok(page(words, name, live.as_ref(), &head, &content))
    }

    /// The links to the latest complete game, and to the game in play.
    fn latest(&self, words: &Words) -> String {
        let SourcePage { number, contents, in_play, .. } = self;
        let latest = (contents.has_decisions && contents.games > 0).then(|| {
            let game = contents.first + contents.games - 1;
            format!("<p><a href=\"/games/{number}/{game}\">{}</a></p>\n", words.sentence("latest", &game))
        });
        let in_play = in_play.map(|game| {
            format!("<p><a href=\"/games/{number}/now\">{}</a></p>\n", words.sentence("in-play", &game))
        });
        latest.unwrap_or_default() + &in_play.unwrap_or_default()
    }

    /// The links to the games.
    fn games(&self, words: &Words, from: u64) -> String {
        let SourcePage { number, contents, has_reviews, .. } = self;
        let end = contents.first + contents.games;
        let from = from.clamp(contents.first, end);
        let to = end.min(from.saturating_add(MAX_GAMES));
        let mut content = "<ul class=\"many\">\n".to_owned();
        for game in from..to {
            let address = format!("/games/{number}/{game}");
            content += &format!("<li><a href=\"{address}\">{} {game}</a>", words.game);
            if *has_reviews {
                content += &format!(" <small><a href=\"{address}?agent=0\">{}</a></small>", words.review);
            }
            content += "</li>\n";
        }
        content += "</ul>\n<p>";
        if from > contents.first {
            let before = from.saturating_sub(MAX_GAMES).max(contents.first);
            content += &format!("<a href=\"/games/{number}?from={before}\">{}</a> ", words.previous);
        }
        if to < end || contents.has_more {
            content += &format!("<a href=\"/games/{number}?from={to}\">{}</a>", words.next);
        }
        content + "</p>\n"
    }
}

/// The report of a source, with this number and name, before a part is complete.
pub(super) fn no_result(words: &Words, (number, name): (usize, &str), contents: &Contents) -> String {
    let head = format!("<p><a href=\"/games/{number}\">{}</a></p>\n", words.back);
    let (text, bar, state) = (words.sentence("no-figures", &""), bar(contents), state(words, contents));
    page(words, name, None, &head, &format!("<p>{text}</p>\n<p>{bar}{state}</p>\n"))
}

/// The links to sources, with how far they are.
fn source_list(sources: &[SourceRow]) -> String {
    let line = |SourceRow { number, name, state }: &SourceRow| {
        let (name, state) = (shown(name), shown(state));
        format!("<li><a href=\"/games/{number}\"><bdi>{name}</bdi></a> <small>{state}</small></li>\n")
    };
    format!("<ul>\n{}</ul>\n", sources.iter().map(line).collect::<String>())
}

/// A bar that shows how many games of a run are there, if it is known how many it will have.
fn bar(contents: &Contents) -> String {
    let (games, planned) = (contents.games, contents.planned.filter(|planned| *planned > 0));
    planned.map_or_else(String::new, |planned| {
        format!("<progress max=\"{planned}\" value=\"{games}\"></progress> ")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The strengths stand in one table of the documentation.
    #[test]
    fn strengths_are_those_of_the_documentation() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/strength.md");
        let page = std::fs::read_to_string(page).expect("a page");
        let (_, rows) = page.split_once("| agent | mean placement |\n|---|---|\n").expect("a table");
        let rows = rows.lines().take_while(|line| line.starts_with('|')).map(|line| {
            let mut cells = line.trim_matches(['|', ' ']).split(" | ");
            let name = cells.next().expect("an agent").trim_matches('`').to_owned();
            let place = cells.next().and_then(|text| text.split(' ').next()?.parse().ok()).expect("a number");
            (name, place)
        });
        let rows: Vec<(String, f32)> = rows.collect();
        assert_eq!(rows, STRENGTHS.map(|(name, place)| (name.to_owned(), place)));
    }
}
