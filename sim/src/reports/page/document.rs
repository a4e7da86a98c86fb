//! The HTML of a page.

use jantaku_show::view::{embedded, escaped, policy_hash};

use super::plot::{Axis, Curve, Plot, interval_svg};
use super::report::{Cell, Fact, Group, Report, Section, Table};

pub(crate) const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The page of a report.
///
/// Its content security policy allows only its own style and script, by their hashes.
pub(super) fn html(report: &Report) -> String {
    let (style_hash, script_hash) = (policy_hash(STYLE), policy_hash(SCRIPT));
    let title = shown(&report.title);
    let findings: String = report.findings.iter().map(|text| paragraph("", text)).collect();
    let notes: String = report.notes.iter().map(|text| paragraph(" class=\"quiet\"", text)).collect();
    let facts: String = report.facts.iter().map(fact).collect();
    let sections = sections(&report.sections);
    let contents = contents(&report.sections);
    let data = embedded(&report.data.to_string());
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src '{style_hash}'; \
         script-src '{script_hash}'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<h1><bdi>{title}</bdi></h1>\n{findings}\
         <section>\n<h2>What was run</h2>\n<dl>\n{facts}</dl>\n{notes}</section>\n{contents}{sections}\
         <script type=\"application/json\" id=\"data\">{data}</script>\n\
         <script>{SCRIPT}</script>\n</body>\n</html>\n"
    )
}

/// A text in HTML. Characters that turn the direction of writing are shown by their numbers.
pub(crate) fn shown(text: &str) -> String {
    let turns = |letter: char| matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let letter = |letter: char| {
        if turns(letter) { format!("⟨U+{:04X}⟩", u32::from(letter)) } else { letter.to_string() }
    };
    if text.contains(turns) { escaped(&text.chars().map(letter).collect::<String>()) } else { escaped(text) }
}

fn paragraph(attributes: &str, text: &str) -> String {
    format!("<p{attributes}><bdi>{}</bdi></p>\n", shown(text))
}

fn fact(fact: &Fact) -> String {
    let (name, text) = (fact.name, shown(&fact.text));
    let text = if fact.is_code { format!("<pre>{text}</pre>") } else { format!("<bdi>{text}</bdi>") };
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
    format!("<nav><details><summary>Contents</summary>{}</details></nav>\n", links.join(" · "))
}

/// Sections with numbers from 0.
pub(super) fn sections<'a>(sections: impl IntoIterator<Item = &'a Section>) -> String {
    sections.into_iter().enumerate().map(section).collect()
}

fn section((number, section): (usize, &Section)) -> String {
    let content = match section {
        Section::Table(table) => table_html(table),
        Section::Plot(plot) => plot_html(plot),
    };
    let heading = shown(section.heading());
    format!(
        "<section id=\"section-{number}\">\n<h2><bdi>{heading}</bdi></h2>\n<div class=\"scroll\">{content}</div>\n\
         </section>\n"
    )
}

fn table_html(table: &Table) -> String {
    let single = table.groups.first().filter(|group| group.title.is_none());
    let has_words = |column: usize| {
        let mut rows = table.groups.iter().flat_map(|group| &group.rows);
        rows.any(|row| matches!(row.get(column), Some(Cell::Name(_) | Cell::Words(_))))
    };
    let column = |(index, column): (usize, &String)| {
        if column.is_empty() {
            let axis = single.map_or_else(String::new, axis_html);
            return format!("<th scope=\"col\" class=\"figure\">{axis}</th>");
        }
        let class = if has_words(index) { " class=\"name\"" } else { "" };
        format!("<th scope=\"col\"{class}><bdi>{}</bdi></th>", shown(column))
    };
    let columns: String = table.columns.iter().enumerate().map(column).collect();
    let groups: String = table.groups.iter().map(|group| group_html(group, table.columns.len())).collect();
    format!("<table>\n<thead><tr>{columns}</tr></thead>\n{groups}</table>")
}

/// The ends of the axis of a group.
fn axis_html(group: &Group) -> String {
    let Some(axis) = Axis::of_group(group) else { return String::new() };
    let [low, high] = axis.ends(group.scale);
    format!("<div class=\"axis\"><span>{low}</span><span>{high}</span></div>")
}

fn group_html(group: &Group, columns: usize) -> String {
    let axis = Axis::of_group(group);
    let title = group.title.as_ref().map_or_else(String::new, |title| {
        let (title, axis, rest) = (shown(title), axis_html(group), columns - 2);
        format!(
            "<tr class=\"group\"><th scope=\"rowgroup\"><bdi>{title}</bdi></th><td class=\"figure\">{axis}</td>\
             <td colspan=\"{rest}\"></td></tr>\n"
        )
    });
    let row = |row: &Vec<Cell>| {
        let cells: String = row
            .iter()
            .enumerate()
            .map(|(column, cell)| cell_html(cell, column == 0, axis, group.reference))
            .collect();
        format!("<tr>{cells}</tr>\n")
    };
    format!("<tbody>\n{title}{}</tbody>\n", group.rows.iter().map(row).collect::<String>())
}

fn cell_html(cell: &Cell, is_first: bool, axis: Option<Axis>, reference: Option<f64>) -> String {
    match cell {
        Cell::Name(text) if is_first => format!("<th scope=\"row\"><bdi>{}</bdi></th>", shown(text)),
        Cell::Name(text) => format!("<td class=\"name\"><bdi>{}</bdi></td>", shown(text)),
        Cell::Plain(text) => format!("<td>{}</td>", shown(text)),
        Cell::Words(text) => format!("<td class=\"words\"><bdi>{}</bdi></td>", shown(text)),
        Cell::Number(text, value) => format!("<td data-value=\"{}\">{}</td>", exact(*value), shown(text)),
        Cell::Range(text, low, high) => {
            let [low, high] = [low, high].map(|end| exact(*end));
            format!("<td data-low=\"{low}\" data-high=\"{high}\">{}</td>", shown(text))
        }
        Cell::Interval(interval) => {
            let svg = axis.map_or_else(String::new, |axis| interval_svg(*interval, axis, reference));
            format!("<td class=\"figure\">{svg}</td>")
        }
        Cell::Empty => "<td></td>".to_owned(),
    }
}

/// A number with the digits that it has in JSON.
fn exact(number: f64) -> String {
    let digits = serde_json::Value::from(number).to_string();
    digits.strip_suffix(".0").map_or(digits.clone(), str::to_owned)
}

fn plot_html(plot: &Plot) -> String {
    let Some(axes) = plot.axes() else { return String::new() };
    let [[left, right], [bottom, top]] = axes.map(|axis| axis.ends(1.0));
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
