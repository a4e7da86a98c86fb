//! A table: rivers, melds, hands, points and indicators.

use jantaku_engine::{BySeat, Concealed, Discard, Observation, Phase, Riichi, Round, Seat, Table, Tile};

use super::canvas::{Canvas, Way, meld_width};
use super::tile::{GAP, HEIGHT, WIDTH};
use jantaku_show::meld_layout::steps_right;
use jantaku_show::text::{hand_name, points};

/// The width and height of the picture.
const SIZE: f32 = 560.0;
/// Half the width of the field in the middle.
const MIDDLE: f32 = 80.0;
/// Discards in a row of a river.
const ROW: usize = 6;

/// A hand as far as the picture shows it.
enum Shown {
    /// The tiles, without the one just drawn, and the one just drawn.
    Face(Concealed, Option<Tile>),
    /// The number of hidden tiles.
    Back(usize),
}

/// The table as the player of an observation sees it. They sit at the bottom.
pub fn observation(o: &Observation<'_>) -> String {
    let shown = BySeat::from_fn(o.rules().players, |seat| {
        if seat == o.seat() {
            return Shown::Face(*o.hand(), o.drawn());
        }
        let acts = o.turn() == seat && o.phase() == Phase::Turn;
        Shown::Back(13 - 3 * o.side(seat).melds().len() + usize::from(acts))
    });
    draw(o.table(), &shown, o.seat())
}

/// The table with all hands shown. The first seat sits at the bottom.
pub fn table(round: &Round) -> String {
    let table = round.table();
    let shown = BySeat::from_fn(table.rules().players, |seat| {
        // Also called for seats that are not in play, whose values nobody reads.
        let private = round.private(seat);
        Shown::Face(*private.hand(), private.drawn())
    });
    draw(table, &shown, Seat::FIRST)
}

fn draw(table: &Table, shown: &BySeat<Shown>, bottom: Seat) -> String {
    let mut canvas = Canvas::default();
    canvas.add(&format!("<rect width=\"{SIZE}\" height=\"{SIZE}\" rx=\"8\" fill=\"#2c5f4a\"/>"));
    middle(&mut canvas, table);
    for seat in table.rules().players.seats() {
        let turned = -90 * i32::from(steps_right(bottom, seat, table.rules().players));
        let centre = SIZE / 2.0;
        canvas.group(&format!("transform=\"rotate({turned} {centre} {centre})\""), |canvas| {
            name(canvas, table, seat);
            river(canvas, table, seat);
            let end = melds(canvas, table, seat);
            hand(canvas, &shown[seat], end);
        });
    }
    canvas.into_svg([SIZE, SIZE])
}

/// The field in the middle: the hand, live tiles, sticks and indicators.
fn middle(canvas: &mut Canvas, table: &Table) {
    let (centre, side) = (SIZE / 2.0, 2.0 * MIDDLE);
    let corner = centre - MIDDLE;
    canvas.add(&format!(
        "<rect x=\"{corner}\" y=\"{corner}\" width=\"{side}\" height=\"{side}\" rx=\"6\" fill=\"#1d3f32\"/>"
    ));
    let name = hand_name(table.round(), table.honba(), table.rules());
    canvas.text(&name, 17.0, [centre, centre - 34.0]);
    let counts = format!("{} live, {} sticks", table.live(), table.sticks());
    canvas.text(&counts, 11.0, [centre, centre - 16.0]);
    let indicators = table.indicators();
    let mut x = centre - WIDTH * indicators.len() as f32 / 2.0;
    for tile in indicators {
        canvas.tile(*tile, Way::Upright, [x, centre - 4.0]);
        x += WIDTH;
    }
}

/// Wind, points and riichi of a seat.
fn name(canvas: &mut Canvas, table: &Table, seat: Seat) {
    let wind = table.seat_wind(seat).letter();
    let mark = if table.turn() == seat { "▸ " } else { "" };
    let text = format!("{mark}{wind}  {}", points(table.scores()[seat]));
    canvas.text(&text, 14.0, [SIZE / 2.0, SIZE / 2.0 + MIDDLE - 14.0]);
    if table.side(seat).riichi() != Riichi::None {
        let (x, y) = (SIZE / 2.0 - 40.0, SIZE / 2.0 + MIDDLE - 5.0);
        canvas
            .add(&format!("<rect x=\"{x}\" y=\"{y}\" width=\"80\" height=\"5\" rx=\"2\" fill=\"#fbf8ee\"/>"));
        canvas.add(&format!("<circle cx=\"{}\" cy=\"{}\" r=\"1.6\" fill=\"#c0272d\"/>", SIZE / 2.0, y + 2.5));
    }
}

/// The river of a seat: two rows of six discards, then one row with all later ones.
fn river(canvas: &mut Canvas, table: &Table, seat: Seat) {
    let left = SIZE / 2.0 - 3.0 * WIDTH;
    let top = SIZE / 2.0 + MIDDLE + GAP;
    let (mut x, mut row) = (left, 0);
    for (at, discard) in table.discards().of(seat).enumerate() {
        if at > 0 && at % ROW == 0 && row < 2 {
            (x, row) = (left, row + 1);
        }
        let way = match discard {
            Discard { riichi: true, .. } => Way::Sideways,
            Discard { claimed_by: Some(_), .. } => Way::Faint,
            _ => Way::Upright,
        };
        canvas.tile(discard.tile, way, [x, top + HEIGHT * row as f32]);
        x += way.width();
    }
}

/// The melds of a seat and the Norths that it set aside, from the right. Returns the left edge.
fn melds(canvas: &mut Canvas, table: &Table, seat: Seat) -> f32 {
    let (side, players) = (table.side(seat), table.rules().players);
    let y = SIZE - HEIGHT - GAP;
    let mut right = SIZE - HEIGHT - 2.0 * GAP;
    for meld in side.melds() {
        let from = meld.claimed().map(|claimed| steps_right(seat, claimed.from, players));
        let width = meld_width(*meld, from);
        canvas.meld(*meld, from, [right - width, y]);
        right -= width + GAP;
    }
    for _ in 0..side.norths() {
        right -= WIDTH;
        canvas.tile(jantaku_engine::TileKind::NORTH.into(), Way::Upright, [right, y]);
    }
    right
}

/// The hand of a seat, left of its melds, whose left edge is `end`.
fn hand(canvas: &mut Canvas, shown: &Shown, end: f32) {
    let y = SIZE - HEIGHT - GAP;
    let tiles: Vec<Option<Tile>> = match shown {
        Shown::Face(hand, _) => hand.tiles().map(Some).collect(),
        Shown::Back(count) => vec![None; *count],
    };
    let centred = SIZE / 2.0 - WIDTH * tiles.len() as f32 / 2.0;
    let mut x = centred.min(end - WIDTH * (tiles.len() as f32 + 2.0)).max(HEIGHT + 2.0 * GAP);
    for tile in tiles {
        match tile {
            Some(tile) => canvas.tile(tile, Way::Upright, [x, y]),
            None => canvas.back(Way::Upright, [x, y]),
        }
        x += WIDTH;
    }
    if let Shown::Face(_, Some(tile)) = shown {
        canvas.tile(*tile, Way::Upright, [x + WIDTH / 3.0, y]);
    }
}

#[cfg(test)]
mod tests {
    use jantaku_engine::{Game, Rng, Rules};
    use quick_xml::Reader;
    use quick_xml::events::Event;

    use super::*;

    /// The names of the tiles that a picture shows, in order of name.
    fn tiles(svg: &str) -> Vec<String> {
        let (mut reader, mut names, mut in_title) = (Reader::from_str(svg), Vec::new(), false);
        reader.config_mut().check_end_names = true;
        loop {
            match reader.read_event().expect("XML") {
                Event::Start(start) => in_title = start.name().as_ref() == "title",
                Event::Text(text) if in_title => {
                    names.push(String::from(&*text));
                    in_title = false;
                }
                Event::Eof => break,
                _ => {}
            }
        }
        names.sort_unstable();
        names
    }

    fn expected(o: &Observation<'_>) -> Vec<String> {
        let hidden_kan = |at: usize, ankan: bool| ankan && matches!(at, 1 | 3);
        let melds = o.rules().players.seats().flat_map(|seat| o.side(seat).melds().iter().copied());
        let melds = melds.flat_map(|meld| {
            let ankan = meld.kind() == jantaku_engine::MeldKind::Ankan;
            meld.tiles().enumerate().filter(move |(at, _)| !hidden_kan(*at, ankan)).map(|(_, tile)| tile)
        });
        let norths = o.rules().players.seats().map(|seat| usize::from(o.side(seat).norths())).sum();
        let norths = vec![Tile::plain(jantaku_engine::TileKind::NORTH); norths];
        let river = o.discards().iter().map(|discard| discard.tile);
        let tiles = o.hand().tiles().chain(o.drawn()).chain(melds).chain(norths).chain(river);
        let mut names: Vec<String> =
            tiles.chain(o.indicators().iter().copied()).map(|tile| tile.to_string()).collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn pictures_show_what_the_player_sees_and_no_more() {
        for name in ["tenhou", "tenhou-sanma"] {
            let rules = Rules::preset(name).expect("a preset");
            let mut rng = Rng::new(1);
            for seed in 0..3 {
                let mut game = Game::new(&rules, seed);
                while !game.is_over() {
                    let (seat, legal) = game.decisions().next().expect("a seat decides");
                    // Drawing and reading take far longer than a move.
                    if rng.below(5) == 0 {
                        let o = game.observe(seat);
                        let svg = observation(&o);
                        assert_eq!(tiles(&svg), expected(&o), "seed {seed}");
                        assert_eq!(svg, observation(&o.determinize(&mut rng).observe(seat)), "seed {seed}");
                        assert!(tiles(&table(game.round())).len() > tiles(&svg).len(), "seed {seed}");
                    }
                    let id = legal.nth(rng.below(legal.len() as usize) as u32).expect("a legal action");
                    game.submit(seat, id.action()).expect("a legal action");
                }
            }
        }
    }
}
