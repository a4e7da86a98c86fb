//! Permutes the suits of encoded decisions.

use std::sync::LazyLock;

use jantaku_agents::encode::{PlanesV1, SparseV1, SuitOrder};
use jantaku_engine::{ActionId, TileKind};
use ndarray::ArrayViewMut2;

use crate::encoded::{EncodingMut, RowsMut};

/// What each feature of `sparse-v1` becomes, for each order of [`SuitOrder::ALL`].
static FEATURES: LazyLock<Vec<Vec<u16>>> = LazyLock::new(|| {
    let table = |order: SuitOrder| (0..SparseV1::FEATURES).map(|feature| order.feature(feature)).collect();
    SuitOrder::ALL.into_iter().map(table).collect()
});

/// Permutes the suits of a row and of its action.
pub(super) fn permute(rows: &mut RowsMut<'_>, row: usize, order: SuitOrder, action: ActionId) -> ActionId {
    if order == SuitOrder::ALL[0] {
        return action;
    }
    rows.masks[row] = order.policy(&rows.masks[row]);
    match &mut rows.encoding {
        EncodingMut::None => {}
        EncodingMut::Planes(planes) => {
            let shape = (PlanesV1::CHANNELS, TileKind::COUNT);
            let mut view = ArrayViewMut2::from_shape(shape, &mut planes[row]).expect("a row of planes");
            order.planes(&mut view).expect("planes of 34 kinds");
        }
        EncodingMut::Sparse { active, counts, .. } => {
            let number = SuitOrder::ALL.iter().position(|other| *other == order);
            let features = &FEATURES[number.expect("`ALL` has every order")];
            for feature in &mut active[row][..usize::from(counts[row])] {
                *feature = features[usize::from(*feature)];
            }
        }
    }
    order.action(action)
}
