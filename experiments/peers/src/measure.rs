//! CPU times and the report.

use std::fmt;

use cpu_time::ThreadTime;

use crate::RUNS;

/// The CPU time of a package for one input, in nanoseconds.
pub struct Time {
    pub who: String,
    pub nanoseconds: f64,
}

/// A measured question with the time of each package, ours first.
pub struct Row {
    pub question: String,
    pub times: Vec<Time>,
    /// The number of answers that differ from ours, for each compared package.
    pub notes: Vec<String>,
}

/// A package and its work on all inputs, which returns a checksum.
pub type Work<'a> = (&'a str, Box<dyn FnMut() -> u64 + 'a>);

impl Row {
    /// Runs the contestants in turns and keeps the median time of each.
    ///
    /// # Panics
    ///
    /// If a checksum differs between runs.
    pub fn of(question: impl Into<String>, count: usize, mut contestants: Vec<Work<'_>>) -> Row {
        let mut spent = vec![Vec::new(); contestants.len()];
        let found: Vec<u64> = contestants.iter_mut().map(|(_, work)| work()).collect();
        for _ in 0..RUNS {
            for (i, (who, work)) in contestants.iter_mut().enumerate() {
                let start = ThreadTime::now();
                let again = work();
                spent[i].push(start.elapsed().as_nanos() as f64 / count as f64);
                assert_eq!(again, found[i], "checksum of {who}");
            }
        }
        let time = |((who, _), spent): (&Work<'_>, &mut Vec<f64>)| {
            spent.sort_by(f64::total_cmp);
            Time { who: (*who).to_owned(), nanoseconds: spent[spent.len() / 2] }
        };
        let times = contestants.iter().zip(&mut spent).map(time).collect();
        Row { question: question.into(), times, notes: Vec::new() }
    }

    /// Adds the number of answers of a package that differ from ours.
    pub fn compared(mut self, who: &str, differ: usize, of: usize) -> Row {
        self.notes.push(format!("{who}: {differ} of {of} answers differ"));
        self
    }
}

/// All measured questions.
#[derive(Default)]
pub struct Report {
    rows: Vec<Row>,
}

impl Report {
    pub fn add(&mut self, row: Row) {
        eprintln!("{}", row.question);
        self.rows.push(row);
    }

    /// Adds the times of Python packages to the questions with the same text.
    pub fn add_python(&mut self, times: &[(String, Time)]) {
        for (question, time) in times {
            let row = self.rows.iter_mut().find(|row| row.question == *question);
            let row = row.unwrap_or_else(|| panic!("unknown question `{question}` from peers.py"));
            row.times.push(Time { who: time.who.clone(), nanoseconds: time.nanoseconds });
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in &self.rows {
            writeln!(f, "{}", row.question)?;
            let ours = row.times[0].nanoseconds;
            for Time { who, nanoseconds } in &row.times {
                let (each, second) = (with_unit(*nanoseconds), 1e9 / nanoseconds);
                writeln!(
                    f,
                    "  {who:<28} {each:>10}  {second:>14.0} a second  {:>9.1} ×",
                    nanoseconds / ours
                )?;
            }
            row.notes.iter().try_for_each(|note| writeln!(f, "  {note}"))?;
        }
        writeln!(f, "CPU time, medians of {RUNS} runs; × is the multiple of our time.")
    }
}

/// A time with its unit.
fn with_unit(nanoseconds: f64) -> String {
    match nanoseconds {
        ..1e3 => format!("{nanoseconds:.1} ns"),
        ..1e6 => format!("{:.2} µs", nanoseconds / 1e3),
        _ => format!("{:.2} ms", nanoseconds / 1e6),
    }
}
