//! The printed report of the example, and the file with the fitted numbers.

use std::fmt::Write as _;

use jantaku_agents::{PlacementModel, PlacementParams};

use crate::games::Line;
use crate::{chances, log_loss, loss};

/// Prints how well both models predict the placements of a stage.
pub fn report(name: &str, closed: &PlacementModel, model: &PlacementModel, lines: &[&Line]) {
    if lines.is_empty() {
        return;
    }
    let gains: Vec<f64> = lines.iter().map(|line| loss(closed, line) - loss(model, line)).collect();
    let count = gains.len() as f64;
    let gain = gains.iter().sum::<f64>() / count;
    let variance = gains.iter().map(|x| (x - gain).powi(2)).sum::<f64>() / count;
    println!(
        "{name}\t{count}\t{:.4}\t{:.4}\t{gain:.4}\t{:.4}",
        log_loss(closed, lines),
        log_loss(model, lines),
        1.96 * (variance / count).sqrt()
    );
}

/// Prints how often players finished first and last, by the chance that the model gave them.
pub fn calibration(model: &PlacementModel, players: usize, lines: &[&Line]) {
    const TENTHS: usize = 10;
    println!("\nchance\tlines\tfirst: model\thappened\tlines\tlast: model\thappened");
    let places = [0, players - 1];
    let mut cells = [[[0.0; 3]; TENTHS]; 2];
    for line in lines {
        let chances = chances(model, line);
        for (cells, place) in cells.iter_mut().zip(places) {
            let chance = f64::from(chances[place]);
            let cell = &mut cells[((chance * TENTHS as f64) as usize).min(TENTHS - 1)];
            cell[0] += 1.0;
            cell[1] += chance;
            cell[2] += f64::from(u8::from(line.placement == place));
        }
    }
    for tenth in 0..TENTHS {
        let parts = cells.map(|cells| {
            let [count, chance, happened] = cells[tenth];
            format!("{count}\t{:.3}\t{:.3}", chance / count, happened / count)
        });
        println!("{}–{} %\t{}", 10 * tenth, 10 * tenth + 10, parts.join("\t"));
    }
}

/// The numbers as TOML, as `heuristic:standing=FILE` reads them.
pub fn text(params: &PlacementParams, players: usize) -> String {
    let list = |values: &[f32], digits: usize| {
        let values: Vec<String> = values.iter().map(|value| format!("{value:.digits$}")).collect();
        format!("[{}]", values.join(", "))
    };
    let mut text = String::from(if players == 3 { "[three_players.standing]\n" } else { "[standing]\n" });
    text += "drift = [\n";
    for drift in &params.drift {
        let _ = writeln!(text, "    {},", list(drift, 0));
    }
    let _ = writeln!(text, "]\nnarrow = {}\nwide = {}", list(&params.narrow, 0), list(&params.wide, 0));
    let _ = writeln!(text, "wide_share = {}", list(&params.wide_share, 3));
    text += "together = [\n";
    for together in &params.together {
        let _ = writeln!(text, "    {},", list(together, 3));
    }
    text += "]\n";
    text
}
