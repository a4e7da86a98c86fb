//! The operators of sets that are stored as the bits of one number.

/// Implements `|`, `&` and `-` for a tuple struct with one integer: union, intersection, and the
/// members of the left set that are not in the right one.
macro_rules! set_operators {
    ($set:ident) => {
        impl std::ops::BitOr for $set {
            type Output = $set;
            #[inline]
            fn bitor(self, other: $set) -> $set {
                $set(self.0 | other.0)
            }
        }

        impl std::ops::BitAnd for $set {
            type Output = $set;
            #[inline]
            fn bitand(self, other: $set) -> $set {
                $set(self.0 & other.0)
            }
        }

        /// The members of the left set that are not in the right one.
        impl std::ops::Sub for $set {
            type Output = $set;
            #[inline]
            fn sub(self, other: $set) -> $set {
                $set(self.0 & !other.0)
            }
        }
    };
}

pub(crate) use set_operators;
