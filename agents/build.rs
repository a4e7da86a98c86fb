//! Finds libtorch for the feature `torch`, and gives the linker its folder as a run path.
//!
//! # Why
//!
//! **How is libtorch found?** `make torch` installs it in the user's cache and makes `.torch` a
//! link to it, where `.cargo/config.toml` looks for it. `agents/build.rs` gives the linker the
//! folder as a run path, and makes it keep `libtorch_cuda`, although nothing refers to its symbols.
//! Rejected: a download during the build, because it would fetch gigabytes unasked;
//! `LD_LIBRARY_PATH`, because a program started by hand lacks it; loading the library at run time,
//! because that needs `unsafe` and bindings of our own. The price: a program with the feature loads
//! libtorch at every start.

use std::env;
use std::path::{Path, PathBuf};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var_os("CARGO_FEATURE_TORCH").is_none() {
        return;
    }
    for name in ["LIBTORCH", "LIBTORCH_LIB"] {
        println!("cargo::rerun-if-env-changed={name}");
    }
    let Some(folder) = folder() else {
        println!("cargo::error=the feature `torch` needs libtorch, and LIBTORCH is not set");
        return;
    };
    let library =
        folder.join(if cfg!(target_os = "macos") { "libtorch_cpu.dylib" } else { "libtorch_cpu.so" });
    println!("cargo::rerun-if-changed={}", library.display());
    let Ok(folder) = folder.canonicalize().and_then(|folder| library.metadata().map(|_| folder)) else {
        println!(
            "cargo::error=the feature `torch` needs libtorch, and {} is missing: run `make torch` in the \
             project's root, or set LIBTORCH to the folder of your own",
            library.display(),
        );
        return;
    };
    println!("cargo::rustc-env=JANTAKU_LIBTORCH={}", folder.display());
    println!("cargo::metadata=args={}", args(&folder).join(";"));
    for arg in args(&folder) {
        println!("cargo::rustc-link-arg={arg}");
    }
}

/// The folder of libtorch's libraries, found as the crate that binds them finds it.
fn folder() -> Option<PathBuf> {
    let root = env::var_os("LIBTORCH_LIB").or_else(|| env::var_os("LIBTORCH"))?;
    Some(Path::new(&root).join("lib"))
}

/// Linker arguments for a program that plays networks.
///
/// The search path of the dynamic loader makes `LD_LIBRARY_PATH` unnecessary. Nothing refers to a
/// symbol of the library for CUDA, which registers itself when it is loaded. A linker that drops
/// unreferenced libraries needs a flag to keep it.
fn args(folder: &Path) -> Vec<String> {
    let mut args = vec![format!("-Wl,-rpath,{}", folder.display())];
    if folder.join("libtorch_cuda.so").exists() {
        args.push(format!("-L{}", folder.display()));
        args.push("-Wl,--no-as-needed,-ltorch_cuda,--as-needed".to_string());
    }
    args
}
