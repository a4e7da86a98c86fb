//! The HTML of a page.

use jantaku_hands::view::{escaped, policy_hash};

use super::plot::{Axis, Curve, Plot, interval_svg};
use super::report::{Cell, Fact, Group, Report, Section, Table, embedded};
use crate::reports::numbers::NO_INTERVAL;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The page of a report.
///
/// Its content security policy allows only its own style and script, by their hashes.
pub(super) fn html(report: &Report) -> String {
    let (style_hash, script_hash) = (policy_hash(STYLE), policy_hash(SCRIPT));
    let title = escaped(&report.title);
    let findings: String = report.findings.iter().map(|text| paragraph("", text)).collect();
    let notes: String = report.notes.iter().map(|text| paragraph(" class=\"quiet\"", text)).collect();
    let facts: String = report.facts.iter().map(fact).collect();
    let sections: String = report.sections.iter().map(section).collect();
    let data = embedded(&report.data);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src '{style_hash}'; \
         script-src '{script_hash}'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<h1><bdi>{title}</bdi></h1>\n{findings}\
         <section>\n<h2>What was run</h2>\n<dl>\n{facts}</dl>\n{notes}</section>\n{sections}\
         <script type=\"application/json\" id=\"data\">{data}</script>\n\
         <script>{SCRIPT}</script>\n</body>\n</html>\n"
    )
}

fn paragraph(attributes: &str, text: &str) -> String {
    format!("<p{attributes}><bdi>{}</bdi></p>\n", escaped(text))
}

fn fact(fact: &Fact) -> String {
    let (name, text) = (fact.name, escaped(&fact.text));
    let text = if fact.is_code { format!("<pre>{text}</pre>") } else { format!("<bdi>{text}</bdi>") };
    format!("<dt>{name}</dt><dd>{text}</dd>\n")
}

fn section(section: &Section) -> String {
    let (heading, content) = match section {
        Section::Table(table) => (&table.heading, table_html(table)),
        Section::Plot(plot) => (&plot.heading, plot_html(plot)),
    };
    format!(
        "<section>\n<h2><bdi>{}</bdi></h2>\n<div class=\"scroll\">{content}</div>\n</section>\n",
        escaped(heading)
    )
}

fn table_html(table: &Table) -> String {
    let single = table.groups.first().filter(|group| group.title.is_none());
    let has_words = |column: usize| {
        let mut rows = table.groups.iter().flat_map(|group| &group.rows);
        rows.any(|row| matches!(row.get(column), Some(Cell::Words(text)) if text != NO_INTERVAL))
    };
    let column = |(index, column): (usize, &String)| {
        if column.is_empty() {
            let axis = single.map_or_else(String::new, axis_html);
            return format!("<th scope=\"col\" class=\"figure\">{axis}</th>");
        }
        let class = if has_words(index) { " class=\"words\"" } else { "" };
        format!("<th scope=\"col\"{class}><bdi>{}</bdi></th>", escaped(column))
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
        let title = escaped(title);
        format!(
            "<tr class=\"group\"><th scope=\"rowgroup\" colspan=\"{}\"><bdi>{title}</bdi></th><th>{}</th></tr>\n",
            columns - 1,
            axis_html(group)
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
        Cell::Name(text) if is_first => format!("<th scope=\"row\"><bdi>{}</bdi></th>", escaped(text)),
        Cell::Name(text) => format!("<td><bdi>{}</bdi></td>", escaped(text)),
        Cell::Words(text) if text == NO_INTERVAL => format!("<td>{text}</td>"),
        Cell::Words(text) => format!("<td class=\"words\"><bdi>{}</bdi></td>", escaped(text)),
        Cell::Number(shown, value) => format!("<td data-value=\"{}\">{}</td>", exact(*value), escaped(shown)),
        Cell::Range(shown, low, high) => {
            let [low, high] = [low, high].map(|end| exact(*end));
            format!("<td data-low=\"{low}\" data-high=\"{high}\">{}</td>", escaped(shown))
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
        format!("<span class=\"key line-{}\">━ <bdi>{}</bdi></span>", number % 3, escaped(&curve.name))
    };
    let keys: String = plot.curves.iter().enumerate().map(key).collect();
    format!(
        "<div class=\"curve\"><div class=\"axis\"><span>{top}</span><span>{keys}</span></div>{}\
         <div class=\"axis\"><span>{bottom}</span></div>\
         <div class=\"axis\"><span>{left}</span><span>{}</span><span>{right}</span></div></div>",
        plot.svg(axes),
        escaped(&plot.x)
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
