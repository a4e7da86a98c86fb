//! Enums whose values have names.

/// Defines an enum whose values have names, such as `Hands = "hands"`, also in JSON.
#[macro_export]
macro_rules! named_enum {
    ($(#[$about:meta])+ $type:ident { $($(#[$doc:meta])+ $value:ident = $name:literal,)+ }) => {
        $(#[$about])+
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize)]
        pub enum $type {
            $($(#[$doc])+ #[serde(rename = $name)] $value,)+
        }

        impl $type {
            /// All values in order.
            pub const ALL: [$type; [$($name),+].len()] = [$($type::$value),+];

            /// The name in JSON, files, options and output.
            pub const fn name(self) -> &'static str {
                match self {
                    $($type::$value => $name,)+
                }
            }

            /// The value with this name.
            pub fn named(name: &str) -> Option<$type> {
                $type::ALL.into_iter().find(|value| value.name() == name)
            }
        }

        /// Prints the name.
        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }
    };
}
