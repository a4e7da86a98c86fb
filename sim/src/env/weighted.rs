//! Random draws by weights.

use jantaku_engine::Rng;

/// Items that are drawn in proportion to their weights.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Weighted<T> {
    items: Vec<T>,
    /// The cumulative weights.
    sums: Vec<f64>,
}

impl<T> Weighted<T> {
    pub(super) const fn new() -> Weighted<T> {
        Weighted { items: Vec::new(), sums: Vec::new() }
    }

    /// Adds an item. Returns false if the weight is not a positive number.
    pub(super) fn push(&mut self, item: T, weight: f64) -> bool {
        let is_weight = weight.is_finite() && weight > 0.0;
        if is_weight {
            self.sums.push(self.sums.last().unwrap_or(&0.0) + weight);
            self.items.push(item);
        }
        is_weight
    }

    pub(super) fn items(&self) -> &[T] {
        &self.items
    }

    /// The items with their weights.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&T, f64)> {
        let before = std::iter::once(&0.0).chain(&self.sums);
        self.items.iter().zip(self.sums.iter().zip(before)).map(|(item, (sum, before))| (item, sum - before))
    }

    /// The item that a seed draws.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub(super) fn draw(&self, seed: u64) -> &T {
        let [single] = &self.items[..] else {
            let at = Rng::new(seed).uniform() * self.sums[self.sums.len() - 1];
            let index = self.sums.partition_point(|sum| *sum <= at);
            return &self.items[index.min(self.items.len() - 1)];
        };
        single
    }
}
