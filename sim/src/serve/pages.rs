//! The list of tables and games, and the form of a new table. They need no script.

use jantaku_agents::{NamedAgent, label_of};
use jantaku_hands::view::{escaped, policy_hash};

use super::setup::{CLOCKS, Offer, TableSetup};
use super::source::{Contents, Progress};
use super::words::Words;

const STYLE: &str = include_str!("pages.css");

/// The most games that a page lists.
pub(super) const MOST_GAMES: u64 = 100;

/// A table in the list.
pub(super) struct TableRow<'a> {
    pub(super) name: &'a str,
    pub(super) setup: &'a TableSetup,
    pub(super) hands: u32,
    pub(super) is_over: bool,
}

/// A page with this content. It loads itself again after some seconds if it shows what is running.
fn page(words: &Words, title: &str, reload: bool, content: &str) -> String {
    let hash = policy_hash(STYLE);
    let policy = format!("default-src 'none'; style-src '{hash}'; base-uri 'none'; form-action 'self'");
    let reload = if reload { "<meta http-equiv=\"refresh\" content=\"3\">\n" } else { "" };
    let (lang, title) = (words.tag, escaped(title));
    format!(
        "<!doctype html>\n<html lang=\"{lang}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n{reload}\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n{content}</body>\n</html>\n"
    )
}

/// The first page: the form of a new table, the tables and the sources.
pub(super) fn index(
    words: &Words,
    offer: &Offer,
    tables: &[TableRow<'_>],
    sources: &[(usize, String, String)],
) -> String {
    let mut content = form(words, offer);
    if !tables.is_empty() {
        content += &format!("<h2>{}</h2>\n<ul>\n", words.tables);
        tables.iter().rev().for_each(|table| content += &table_line(words, table));
        content += "</ul>\n";
    }
    if !sources.is_empty() {
        content += &format!("<h2>{}</h2>\n<ul>\n", words.games);
        for (number, name, state) in sources {
            let (name, state) = (escaped(name), escaped(state));
            content += &format!(
                "<li><a href=\"/games/{number}\"><bdi>{name}</bdi></a> <small>{state}</small></li>\n"
            );
        }
        content += "</ul>\n";
    }
    page(words, words.title, false, &content)
}

fn table_line(words: &Words, table: &TableRow<'_>) -> String {
    let TableRow { name, setup, hands, is_over } = table;
    let agents = setup.agents.iter().map(|name| escaped(label_of(name))).collect::<Vec<_>>().join(", ");
    let rules = escaped(&setup.rules_name);
    let state = if *is_over { words.over.to_owned() } else { filled(words.hand, hands) };
    let review = if *is_over {
        format!(" · <a href=\"/tables/{name}/review\">{}</a>", words.review)
    } else {
        String::new()
    };
    format!(
        "<li><a href=\"/tables/{name}\">{name}</a> <small>{rules}: {agents}; {state}{review}</small></li>\n"
    )
}

/// The form of a new table. Its values are numbers in the lists of the offer.
fn form(words: &Words, offer: &Offer) -> String {
    let names: Vec<&str> = offer.agents.iter().map(NamedAgent::label).collect();
    let mut rows = select(words.rules, "rules", offer.rules.iter().map(|rules| rules.name.as_str()), 0);
    for (number, label) in words.opponents.iter().enumerate() {
        rows += &select(label, &format!("opponent{number}"), names.iter().copied(), 0);
    }
    rows += &select(words.seat, "seat", words.seats.iter().copied(), 0);
    rows += &select(words.hints, "hints", std::iter::once(words.none).chain(names.iter().copied()), 1);
    let [each, more] = words.seconds;
    let clocks = CLOCKS.map(|clock| match clock {
        None => words.none.to_owned(),
        Some(limit) => format!("{} {each} {} {more}", limit.seconds, limit.spare),
    });
    rows += &select(words.clock, "clock", clocks.iter().map(String::as_str), 0);
    let (seed, random) = (words.seed, words.random);
    rows += &format!(
        "<label><span>{seed}</span><input name=\"seed\" inputmode=\"numeric\" pattern=\"[0-9]{{0,19}}\" \
         placeholder=\"{random}\"></label>\n"
    );
    let (title, start) = (words.sit_down, words.start);
    format!(
        "<h2>{title}</h2>\n<form method=\"post\" action=\"/tables\">\n{rows}<button>{start}</button>\n</form>\n"
    )
}

fn select<'a>(label: &str, name: &str, options: impl Iterator<Item = &'a str>, chosen: usize) -> String {
    let option = |(value, text): (usize, &str)| {
        let selected = if value == chosen { " selected" } else { "" };
        format!("<option value=\"{value}\"{selected}>{}</option>", escaped(text))
    };
    let options: String = options.enumerate().map(option).collect();
    format!("<label><span>{label}</span><select name=\"{name}\">{options}</select></label>\n")
}

/// A pattern of words with a number.
fn filled(pattern: &str, number: &dyn ToString) -> String {
    pattern.replace("{n}", &number.to_string())
}

/// How many games a source has, in words.
pub(super) fn state(words: &Words, contents: &Contents) -> String {
    let games = contents.games;
    let progress = match contents.progress {
        Progress::Complete if contents.has_more => return filled(words.more_than, &games),
        Progress::Complete => return games.to_string(),
        Progress::Running => words.running,
        Progress::Stopped => words.stopped,
    };
    match contents.planned {
        Some(planned) => format!("{games} {} {planned}, {progress}", words.of),
        None => format!("{games}, {progress}"),
    }
}

/// The games of a source, from this one on.
pub(super) fn games(words: &Words, number: usize, name: &str, contents: &Contents, from: u64) -> String {
    let end = contents.first + contents.games;
    let from = from.clamp(contents.first, end);
    let to = end.min(from.saturating_add(MOST_GAMES));
    let agents = contents.agents.iter().map(|name| escaped(label_of(name))).collect::<Vec<_>>().join(", ");
    let mut content = format!("<p><a href=\"/\">{}</a></p>\n<p>{agents}</p>\n", words.back);
    let is_running = contents.progress == Progress::Running;
    if contents.progress != Progress::Complete {
        content += &format!("<p>{}{}</p>\n", bar(contents), state(words, contents));
    }
    if !contents.has_decisions {
        let games = contents.games;
        content += &format!("<p>{}</p>\n", filled(words.no_decisions, &games));
        return page(words, name, is_running, &content);
    }
    content += "<ul class=\"many\">\n";
    for game in from..to {
        content += &format!("<li><a href=\"/games/{number}/{game}\">{} {game}</a></li>\n", words.game);
    }
    content += "</ul>\n<p>";
    if from > contents.first {
        let before = from.saturating_sub(MOST_GAMES).max(contents.first);
        content += &format!("<a href=\"/games/{number}?from={before}\">{}</a> ", words.previous);
    }
    if to < end || contents.has_more {
        content += &format!("<a href=\"/games/{number}?from={to}\">{}</a>", words.next);
    }
    content += "</p>\n";
    page(words, name, is_running, &content)
}

/// A bar that shows how many games of a run are there, if it is known how many it will have.
fn bar(contents: &Contents) -> String {
    let (games, planned) = (contents.games, contents.planned.filter(|planned| *planned > 0));
    planned.map_or_else(String::new, |planned| {
        format!("<progress max=\"{planned}\" value=\"{games}\"></progress> ")
    })
}
