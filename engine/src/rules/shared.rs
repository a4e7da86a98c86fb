//! Rules that games share.
//!
//! # Why
//!
//! **Why do hands share their rules?** `Rules` is 272 bytes of plain values, a fifth of a hand that
//! held a copy. So `engine/src/rules/shared.rs` keeps each set of rules once and never frees it.
//! Hands hold a reference to it. A program uses few sets of rules. Rejected: a copy in each hand,
//! because searches clone hands; a lifetime on every type; an `Arc`, because all threads contend
//! for its counter.

use std::sync::{PoisonError, RwLock};

use super::{Contradiction, Rules};

/// All rules that a game was played by, each once. They do not contradict each other.
static SHARED: RwLock<Vec<&'static Rules>> = RwLock::new(Vec::new());

impl Rules {
    /// The same rules in a place that never changes.
    ///
    /// Hands refer to their rules, which would be a fifth of a hand otherwise. The rules stay in
    /// memory, so a program takes 272 bytes for each set of rules that it ever plays by.
    ///
    /// # Errors
    ///
    /// If they contradict each other. They are checked when they are first shared.
    pub(crate) fn shared(&self) -> Result<&'static Rules, Contradiction> {
        let find = |all: &[&'static Rules]| all.iter().find(|rules| **rules == self).copied();
        if let Some(found) = find(&SHARED.read().unwrap_or_else(PoisonError::into_inner)) {
            return Ok(found);
        }
        self.check()?;
        let mut all = SHARED.write().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have added them since.
        Ok(find(&all).unwrap_or_else(|| {
            let rules: &'static Rules = Box::leak(Box::new(*self));
            all.push(rules);
            rules
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_rules_are_kept_once() {
        let rules = Rules::default();
        let other = Rules { honba_ron: rules.honba_ron + 100, ..rules };
        let [shared, again, others] =
            [rules, Rules::default(), other].map(|rules| rules.shared().expect("sane"));
        assert!(std::ptr::eq(shared, again));
        assert_eq!((shared, others), (&rules, &other));
        assert!(Rules { max_ron: 0, ..rules }.shared().is_err());
    }
}
