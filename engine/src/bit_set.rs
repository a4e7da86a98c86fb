//! Sets that are stored as the bits of one number.

/// Implements the methods and operators of a set, which is a tuple struct with one integer.
///
/// The arguments: the set, its integer, the type of a member, the noun for one member and for several in
/// docs, the function from a member to the number of its bit, and the function back.
macro_rules! bit_set {
    ($set:ident($bits:ty) of $member:ty, $one:literal, $many:literal, $index:path, $at:expr) => {
        impl $set {
            /// The empty set.
            pub const EMPTY: $set = $set(0);

            #[doc = concat!("The set of one ", $one, ".")]
            #[inline]
            pub const fn of(member: $member) -> $set {
                $set(1 << $index(member))
            }

            #[doc = concat!("The set as bits: bit k is the ", $one, " with index k.")]
            #[inline]
            pub const fn bits(self) -> $bits {
                self.0
            }

            #[doc = concat!("Whether the ", $one, " is in the set.")]
            #[inline]
            pub const fn contains(self, member: $member) -> bool {
                self.0 >> $index(member) & 1 != 0
            }

            #[doc = concat!("Adds a ", $one, ".")]
            #[inline]
            pub const fn insert(&mut self, member: $member) {
                self.0 |= 1 << $index(member);
            }

            #[doc = concat!("Removes a ", $one, ".")]
            #[inline]
            pub const fn remove(&mut self, member: $member) {
                self.0 &= !(1 << $index(member));
            }

            #[doc = concat!("The number of ", $many, ".")]
            #[inline]
            pub const fn len(self) -> u32 {
                self.0.count_ones()
            }

            /// Whether the set is empty.
            #[inline]
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            #[doc = concat!("The ", $many, " in order of their indices.")]
            #[inline]
            pub fn iter(self) -> impl Iterator<Item = $member> {
                let mut rest = self.0;
                std::iter::from_fn(move || {
                    let member = (rest != 0).then(|| $at(rest.trailing_zeros() as u8))?;
                    rest &= rest - 1;
                    Some(member)
                })
            }
        }

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

        impl FromIterator<$member> for $set {
            fn from_iter<I: IntoIterator<Item = $member>>(members: I) -> $set {
                members.into_iter().fold($set::EMPTY, |set, member| set | $set::of(member))
            }
        }
    };
}

pub(crate) use bit_set;
