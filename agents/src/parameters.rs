//! The files that agents read their parameters from.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

/// A file with parameters of an agent. Other contents may make other decisions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterFile {
    /// The option that names it, such as `params=my.toml`.
    pub option: String,
    /// Its SHA-256 in hexadecimal digits, as `sha256sum` prints it.
    pub sha256: String,
}

impl ParameterFile {
    /// The file with these contents.
    pub fn new(option: &str, contents: &[u8]) -> ParameterFile {
        let mut sha256 = String::with_capacity(64);
        for byte in Sha256::digest(contents) {
            write!(sha256, "{byte:02x}").expect("a text takes every digit");
        }
        ParameterFile { option: option.to_owned(), sha256 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An example of the standard, FIPS 180-4.
    #[test]
    fn the_hash_is_that_of_sha256sum() {
        let sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(ParameterFile::new("params=abc", b"abc").sha256, sha256);
    }
}
