//! The instructions that the processor has, chosen at run time.

use archmage::SimdToken as _;
#[cfg(target_arch = "x86_64")]
use archmage::{X64V3Token, X64V4xToken};

/// Instructions that the kernels are written for. All tiers compute the same bits.
#[derive(Clone, Copy, Debug)]
pub enum Tier {
    /// AVX-512 with byte products (VNNI): Intel since Ice Lake, AMD since Zen 4.
    #[cfg(target_arch = "x86_64")]
    V4(X64V4xToken),
    /// AVX2 and fused multiply-adds: Intel since Haswell, AMD since Zen.
    #[cfg(target_arch = "x86_64")]
    V3(X64V3Token),
    /// Plain loops, as the compiler vectorises them.
    Portable,
}

impl Tier {
    /// The tiers of this processor, fastest first.
    pub fn available() -> impl Iterator<Item = Tier> {
        #[cfg(target_arch = "x86_64")]
        let special = [X64V4xToken::summon().map(Tier::V4), X64V3Token::summon().map(Tier::V3)];
        #[cfg(not(target_arch = "x86_64"))]
        let special: [Option<Tier>; 0] = [];
        special.into_iter().flatten().chain([Tier::Portable])
    }

    /// The fastest tier of this processor.
    pub fn best() -> Tier {
        Tier::available().next().unwrap_or(Tier::Portable)
    }

    /// The name, for messages and benchmarks.
    pub const fn name(self) -> &'static str {
        match self {
            #[cfg(target_arch = "x86_64")]
            Tier::V4(_) => "avx512",
            #[cfg(target_arch = "x86_64")]
            Tier::V3(_) => "avx2",
            Tier::Portable => "portable",
        }
    }
}
