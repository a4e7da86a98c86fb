//! Permutations of the suits.

use jantaku_engine::rules::options::TileKinds;
use jantaku_engine::{Action, ActionId, ActionSet, Rules, Suit, Tile, TileKind, TileSet};

use super::active::{Domain, Features};

/// A permutation of the three suits, as an exact augmentation.
///
/// The rules do not depend on which suit is which, so a decision with permuted suits is as valid as
/// the original. Its encoding is that of the original with the kinds permuted, and its policy that
/// of the original with the actions permuted. Honours stay.
///
/// There are three exceptions. Suits can have different numbers of red fives, and three-player tiles
/// lack 2m–8m: [`SuitOrder::allowed`] lists the orders that keep the tiles of both. And some
/// yaku name a suit: ryuuiisou, and some local yaku. They change the value of rare hands, which no
/// encoder shows, and very rarely whether a hand without another yaku may win.
///
/// ```
/// use jantaku_agents::encode::SuitOrder;
/// use jantaku_engine::{Rules, TileSet};
///
/// let rules = Rules::preset("tenhou-sanma").expect("a preset");
/// let [same, swapped] = SuitOrder::allowed(&rules).collect::<Vec<_>>()[..] else { panic!("two orders") };
/// let kinds: TileSet = "19m23p5s7z".parse()?;
/// assert_eq!(same.kinds(kinds), kinds);
/// assert_eq!(swapped.kinds(kinds).to_string(), "19m5p23s7z");
/// # Ok::<(), jantaku_engine::NotationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SuitOrder {
    /// The suit that each suit becomes.
    becomes: [u8; 3],
}

impl SuitOrder {
    /// All permutations, the one that changes nothing first.
    pub const ALL: [SuitOrder; 6] =
        [of([0, 1, 2]), of([0, 2, 1]), of([1, 0, 2]), of([1, 2, 0]), of([2, 0, 1]), of([2, 1, 0])];

    /// The permutations that keep the tiles of these rules.
    pub fn allowed(rules: &Rules) -> impl Iterator<Item = SuitOrder> {
        let (reds, tiles) = (rules.aka.by_suit(), rules.tiles);
        SuitOrder::ALL.into_iter().filter(move |order| {
            let keeps_reds = (0..3).all(|suit| reds[suit] == reds[usize::from(order.becomes[suit])]);
            keeps_reds && (tiles == TileKinds::Full || order.becomes[0] == 0)
        })
    }

    /// The permutation that undoes this one.
    #[must_use]
    pub fn inverse(self) -> SuitOrder {
        let mut becomes = [0; 3];
        for (suit, other) in (0..).zip(self.becomes) {
            becomes[usize::from(other)] = suit;
        }
        SuitOrder { becomes }
    }

    /// The kind that a kind becomes.
    pub fn kind(self, kind: TileKind) -> TileKind {
        TileKind::from_index(self.column(kind.index()))
    }

    /// The tile that a tile becomes.
    pub fn tile(self, tile: Tile) -> Tile {
        let kind = self.kind(tile.kind());
        if tile.is_red() { Tile::red(kind.suit()) } else { Tile::plain(kind) }
    }

    /// The kinds that these kinds become.
    pub fn kinds(self, kinds: TileSet) -> TileSet {
        let moved = |suit: usize| kinds.suit_bits(suit) << (9 * self.becomes[suit]);
        TileSet::from_bits(moved(0) | moved(1) | moved(2)) | (kinds & TileSet::HONOURS)
    }

    /// The action that an action becomes.
    pub fn action(self, id: ActionId) -> ActionId {
        match id.action() {
            Action::Discard { tile, declare } => Action::Discard { tile: self.tile(tile), declare }.id(),
            Action::Kan { kind } => Action::Kan { kind: self.kind(kind) }.id(),
            _ => id,
        }
    }

    /// The actions that these actions become.
    pub fn actions(self, actions: ActionSet) -> ActionSet {
        actions.iter().map(|id| self.action(id).action()).collect()
    }

    /// Permutes values by action, such as a policy.
    pub fn policy<T: Copy>(self, values: &[T; ActionId::COUNT]) -> [T; ActionId::COUNT] {
        let mut permuted = *values;
        for id in ActionId::all() {
            permuted[usize::from(self.action(id).number())] = values[usize::from(id.number())];
        }
        permuted
    }

    /// The feature that a feature becomes in a table with these rows.
    ///
    /// # Panics
    ///
    /// If there is no feature with this number.
    pub fn feature(self, rows: &[Features], number: u16) -> u16 {
        let row = &rows[rows.partition_point(|row| row.first <= number) - 1];
        let index = number - row.first;
        assert!(index < row.domain.len(), "{number}: expected a feature of the table");
        let index = match row.domain {
            Domain::Numbers(_) => index,
            Domain::Kinds => self.column(usize::from(index)) as u16,
            Domain::Actions => {
                let id = ActionId::new(index as u8).expect("the row has 165 features");
                self.action(id).number().into()
            }
        };
        row.first + index
    }

    /// For each of [`SuitOrder::ALL`], what each of the first `count` features of a table becomes.
    pub(super) fn feature_tables(rows: &[Features], count: u16) -> Vec<Vec<u16>> {
        let table = |order: SuitOrder| (0..count).map(|number| order.feature(rows, number)).collect();
        SuitOrder::ALL.into_iter().map(table).collect()
    }

    /// Permutes planes in place: 34 values for each.
    ///
    /// # Panics
    ///
    /// If the last plane is not whole.
    pub fn planes<T: Copy>(self, planes: &mut [T]) {
        let (planes, rest) = planes.as_chunks_mut::<{ TileKind::COUNT }>();
        assert!(rest.is_empty(), "planes have 34 values");
        for plane in planes {
            let before = *plane;
            for suit in 0..3 {
                let to = 9 * usize::from(self.becomes[suit]);
                plane[to..to + 9].copy_from_slice(&before[9 * suit..9 * suit + 9]);
            }
        }
    }

    /// The place in [`SuitOrder::ALL`].
    pub(super) fn number(self) -> usize {
        SuitOrder::ALL.iter().position(|order| *order == self).expect("`ALL` has every order")
    }

    /// The index that the index of a kind becomes.
    fn column(self, kind: usize) -> usize {
        match self.becomes.get(kind / 9) {
            Some(suit) => 9 * usize::from(*suit) + kind % 9,
            None => kind,
        }
    }
}

const fn of(becomes: [u8; 3]) -> SuitOrder {
    SuitOrder { becomes }
}

/// Prints what characters, dots and bamboo become, such as `mps` or `spm`.
impl std::fmt::Display for SuitOrder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.becomes.iter().try_for_each(|suit| write!(f, "{}", Suit::NUMBERED[usize::from(*suit)].letter()))
    }
}
