//! The HTML of a report.

use super::plot::{Axis, Curve, Plot, interval_svg};
use super::{Cell, Column, Fact, FactForm, Group, Interval, Report, Section, Table};
use crate::draw::SPRITE;
use crate::html::{embedded, escaped, policy};

/// The style of reports in HTML.
pub const STYLE: &str = concat!(include_str!("../theme.css"), include_str!("page.css"));
const SCRIPT: &str = include_str!("page.js");

impl Report {
    /// The report as a page: one file that needs no other file and no network. Its script only sorts
    /// tables. It has the data as JSON in the element `data`.
    ///
    /// Its content security policy allows only its own style and script, by their hashes.
    pub fn to_html(&self) -> String {
        let policy = policy(STYLE, SCRIPT, "form-action 'none'");
        let title = shown(&self.title);
        let findings: String = self.findings.iter().map(|text| paragraph("", text)).collect();
        let notes: String = self.notes.iter().map(|text| paragraph(" class=\"quiet\"", text)).collect();
        let facts: String = self.facts.iter().map(fact).collect();
        let contents = contents(&self.sections);
        let sections = sections_in(&self.sections, !contents.is_empty());
        let data = embedded(&self.data.to_string());
        let sprite = if sections.contains("<use ") { SPRITE } else { "" };
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n\
             <style>{STYLE}</style>\n</head>\n<body>\n{sprite}<main>\n<h1><bdi>{title}</bdi></h1>\n{findings}\
             <section>\n<h2>What was run</h2>\n<dl>\n{facts}</dl>\n{notes}</section>\n{contents}{sections}</main>\n\
             <script type=\"application/json\" id=\"data\">{data}</script>\n\
             <script>{SCRIPT}</script>\n</body>\n</html>\n"
        )
    }
}

/// A text in HTML. Characters that turn the direction of writing are shown by their numbers.
pub fn shown(text: &str) -> String {
    let turns = |letter: char| matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let letter = |letter: char| {
        if turns(letter) { format!("⟨U+{:04X}⟩", u32::from(letter)) } else { letter.to_string() }
    };
    if text.contains(turns) { escaped(&text.chars().map(letter).collect::<String>()) } else { escaped(text) }
}

fn paragraph(attributes: &str, text: &str) -> String {
    format!("<p{attributes}><bdi>{}</bdi></p>\n", shown(text))
}

fn fact(Fact { name, text, form }: &Fact) -> String {
    let (name, text) = (shown(name), shown(text));
    let text = match form {
        FactForm::Words => format!("<bdi>{text}</bdi>"),
        FactForm::Code | FactForm::Appendix => format!("<pre>{text}</pre>"),
    };
    format!("<dt>{name}</dt><dd>{text}</dd>\n")
}

/// Links to the sections. Empty if they are few.
fn contents(sections: &[Section]) -> String {
    if sections.len() < 5 {
        return String::new();
    }
    let link = |(number, section): (usize, &Section)| {
        format!("<a href=\"#section-{number}\">{}</a>", shown(section.heading()))
    };
    let links: Vec<String> = sections.iter().enumerate().map(link).collect();
    format!(
        "<nav aria-label=\"Contents\"><details><summary>Contents</summary>{}</details></nav>\n",
        links.join(" · ")
    )
}

/// Sections in HTML, with the ids `section-0`, `section-1` and so on.
pub fn sections_html<'a>(sections: impl IntoIterator<Item = &'a Section>) -> String {
    sections_in(sections, false)
}

/// Sections in HTML. If they fold, the first one is open.
fn sections_in<'a>(sections: impl IntoIterator<Item = &'a Section>, fold: bool) -> String {
    let section = |(number, section): (usize, &Section)| {
        let heading = format!("<h2><bdi>{}</bdi></h2>", shown(section.heading()));
        let content = match section {
            Section::Table(table) => table_html(table),
            Section::Plot(plot) => plot_html(plot),
        };
        let content = format!("<div class=\"scroll\" tabindex=\"0\">{content}</div>\n");
        let open = if number == 0 { " open" } else { "" };
        let content = if fold {
            format!("<details{open}>\n<summary>{heading}</summary>\n{content}</details>\n")
        } else {
            format!("{heading}\n{content}")
        };
        format!("<section id=\"section-{number}\">\n{content}</section>\n")
    };
    sections.into_iter().enumerate().map(section).collect()
}

fn table_html(table: &Table) -> String {
    let single = table.groups.first().filter(|group| group.title.is_none());
    let has_words = |column| table.has(column, |cell| cell.is_name() || matches!(cell, Cell::Words(_)));
    let head = |(index, column): (usize, &Column)| {
        let picture = column.has_picture.then(|| {
            let axis = single.and_then(|group| Axis::of_column(group, index, column));
            format!("<td class=\"figure\">{}</td>", axis_html(axis))
        });
        let class = if has_words(index) { " class=\"name\"" } else { "" };
        let title = shown(&column.title);
        format!("{}<th scope=\"col\"{class}><bdi>{title}</bdi></th>", picture.unwrap_or_default())
    };
    let columns: String = table.columns.iter().enumerate().map(head).collect();
    let groups: String = table.groups.iter().map(|group| group_html(group, &table.columns)).collect();
    format!("<table>\n<thead><tr>{columns}</tr></thead>\n{groups}</table>")
}

/// The ends of an axis. Empty if there is none.
fn axis_html(axis: Option<Axis>) -> String {
    let Some(axis) = axis else { return String::new() };
    let [low, high] = axis.ends();
    format!("<div class=\"axis\"><span>{low}</span><span>{high}</span></div>")
}

fn group_html(group: &Group, columns: &[Column]) -> String {
    let axes: Vec<Option<Axis>> =
        columns.iter().enumerate().map(|(index, column)| Axis::of_column(group, index, column)).collect();
    let title = group.title.as_ref().map_or_else(String::new, |title| {
        let cell = |(column, axis): (&Column, &Option<Axis>)| {
            let axis = column.has_picture.then(|| format!("<td class=\"figure\">{}</td>", axis_html(*axis)));
            format!("{}<td></td>", axis.unwrap_or_default())
        };
        let cells: String = columns.iter().zip(&axes).skip(1).map(cell).collect();
        let title = shown(title);
        format!("<tr class=\"group\"><th scope=\"rowgroup\"><bdi>{title}</bdi></th>{cells}</tr>\n")
    });
    let row = |row: &Vec<Cell>| {
        let cell = |(index, cell): (usize, &Cell)| {
            let column = &columns[index];
            let picture = column.has_picture.then(|| picture(cell, axes[index], column.reference));
            picture.unwrap_or_default() + &cell_html(cell, index == 0)
        };
        format!("<tr>{}</tr>\n", row.iter().enumerate().map(cell).collect::<String>())
    };
    format!("<tbody>\n{title}{}</tbody>\n", group.rows.iter().map(row).collect::<String>())
}

/// Pictures of tiles of a suit, with their names. Leaves out apostrophes, which mark claimed tiles.
fn tiles(ranks: &str, suit: char) -> String {
    let picture = |rank: char| {
        let name = format!("{rank}{suit}");
        format!(
            "<svg class=\"tile\" viewBox=\"0 0 24 32\" role=\"img\"><title>{name}</title><use href=\"#{name}\"/></svg>"
        )
    };
    ranks.chars().filter(char::is_ascii_digit).map(picture).collect()
}

/// A text whose tiles, such as those of `discard 5s`, are pictures with their names.
fn with_tiles(text: &str) -> String {
    let (mut made, mut rest) = (String::new(), text);
    while let Some(start) = rest.find(|letter: char| letter.is_ascii_digit()) {
        let (before, from) = rest.split_at(start);
        let end = from.find(|letter: char| !letter.is_ascii_digit() && letter != '\'').unwrap_or(from.len());
        let (ranks, after) = from.split_at(end);
        let suit = after.chars().next().filter(|suit| "mpsz".contains(*suit));
        made += &shown(before);
        made += &suit.map_or_else(|| ranks.to_owned(), |suit| tiles(ranks, suit));
        rest = suit.map_or(after, |suit| &after[suit.len_utf8()..]);
    }
    made + &shown(rest)
}

/// The cell with the picture of an interval.
fn picture(cell: &Cell, axis: Option<Axis>, reference: Option<f64>) -> String {
    let svg = match (cell, axis) {
        (Cell::Interval(interval), Some(axis)) if !interval.is_empty() => {
            interval_svg(interval, axis, reference)
        }
        _ => String::new(),
    };
    format!("<td class=\"figure\">{svg}</td>")
}

fn cell_html(cell: &Cell, is_first: bool) -> String {
    let text = shown(&cell.text());
    match cell {
        Cell::Name(_) if is_first => format!("<th scope=\"row\"><bdi>{text}</bdi></th>"),
        Cell::Decision(_, number, game) => {
            let (id, game) = (format!("decision={number}"), shown(game.as_deref().unwrap_or_default()));
            format!("<th scope=\"row\" id=\"{id}\"><a href=\"{game}#{id}\"><bdi>{text}</bdi></a></th>")
        }
        Cell::Tiles(text) => format!("<td class=\"name\"><bdi>{}</bdi></td>", with_tiles(text)),
        Cell::Name(_) => format!("<td class=\"name\"><bdi>{text}</bdi></td>"),
        Cell::Words(_) => format!("<td class=\"words\"><bdi>{text}</bdi></td>"),
        Cell::Number(_, value) => format!("<td data-value=\"{}\">{text}</td>", exact(*value)),
        Cell::Interval(Interval { value, low, high, .. }) => {
            let numbers = [("value", value), ("low", low), ("high", high)];
            let attribute = |(name, number): (&str, &Option<f64>)| {
                number.map(|number| format!(" data-{name}=\"{}\"", exact(number)))
            };
            format!("<td{}>{text}</td>", numbers.into_iter().filter_map(attribute).collect::<String>())
        }
        Cell::Plain(_) | Cell::Empty => format!("<td>{text}</td>"),
    }
}

/// A number with the digits that it has in JSON.
fn exact(number: f64) -> String {
    let digits = serde_json::Value::from(number).to_string();
    digits.strip_suffix(".0").map_or(digits.clone(), str::to_owned)
}

fn plot_html(plot: &Plot) -> String {
    let Some(axes) = plot.axes() else { return String::new() };
    let [[left, right], [bottom, top]] = axes.map(Axis::ends);
    let key = |(number, curve): (usize, &Curve)| {
        format!("<span class=\"key line-{}\">━ <bdi>{}</bdi></span>", number % 3, shown(&curve.name))
    };
    let keys: String = plot.curves.iter().enumerate().map(key).collect();
    format!(
        "<div class=\"curve\"><div class=\"axis\"><span>{top}</span><span>{keys}</span></div>{}\
         <div class=\"axis\"><span>{bottom}</span></div>\
         <div class=\"axis\"><span>{left}</span><span>{}</span><span>{right}</span></div></div>",
        plot.svg(axes),
        shown(&plot.x)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_loads_nothing() {
        for text in [STYLE, SCRIPT] {
            for word in ["http", "url(", "@import", "fetch(", "innerHTML", "</", "<!--", "eval"] {
                assert!(!text.contains(word), "{word}");
            }
        }
    }
}
