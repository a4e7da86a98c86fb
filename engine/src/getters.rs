//! Methods that return a field.

/// Defines a method for each listed field, which returns it: `round: u16` as a copy, `&rules: Rules` by
/// reference.
macro_rules! getters {
    ($type:ident: $($(#[$doc:meta])+ $(&$borrowed:ident)? $($copied:ident)?: $result:ty,)+) => {
        impl $type {
            $(
                $(#[$doc])+
                #[inline]
                $(pub const fn $borrowed(&self) -> &$result { &self.$borrowed })?
                $(pub const fn $copied(&self) -> $result { self.$copied })?
            )+
        }
    };
}

pub(crate) use getters;
