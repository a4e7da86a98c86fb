//! The legal actions of a decision as bytes.

use jantaku_engine::{ActionId, ActionSet};

use super::plane::spread;

/// A byte for each action: 1 for a legal action, otherwise 0.
pub type Mask = [u8; ActionId::COUNT];

/// Writes a set of actions as one byte for each action.
#[inline]
pub fn write_mask(actions: ActionSet, mask: &mut Mask) {
    let words = actions.words();
    let bytes = words.iter().flat_map(|word| word.to_le_bytes());
    let (eights, rest) = mask.as_chunks_mut::<8>();
    for (eight, byte) in eights.iter_mut().zip(bytes) {
        *eight = spread(byte);
    }
    // 165 actions are 20 eights and five more, the lowest bits of byte 20: byte 4 of the third word.
    let last = words[2].to_le_bytes()[4];
    let len = rest.len();
    rest.copy_from_slice(&spread(last)[..len]);
}

#[cfg(test)]
mod tests {
    use jantaku_engine::Rng;

    use super::*;

    #[test]
    fn a_mask_has_a_byte_for_each_action() {
        let mut rng = Rng::new(1);
        for _ in 0..1000 {
            let set = ActionSet::from_words(std::array::from_fn(|_| rng.next_u64()));
            let mut mask = [9; ActionId::COUNT];
            write_mask(set, &mut mask);
            for id in ActionId::all() {
                assert_eq!(mask[usize::from(id.number())], u8::from(set.contains(id)));
            }
        }
    }
}
