//! Methods that return a field.

/// Defines methods that return the fields of their names: `round: u16` a copy, `&rules: Rules` a
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
