//! Tenhou's XML logs: plain, gzipped, or one in each line of a file.
#![no_main]

use jantaku_fuzz::{mutate, read_and_replay};
use jantaku_sim::logs::LogFormat;
use libfuzzer_sys::{fuzz_mutator, fuzz_target};

fuzz_target!(|bytes: &[u8]| read_and_replay(bytes, LogFormat::Mjlog));

fuzz_mutator!(|bytes: &mut [u8], len: usize, most: usize, seed: u32| {
    mutate(&mut bytes[..most], len.min(most), seed)
});
