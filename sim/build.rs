//! Links tests and examples with libtorch as the agents' build script says.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    for arg in std::env::var("DEP_JANTAKU_TORCH_ARGS").iter().flat_map(|args| args.split(';')) {
        println!("cargo::rustc-link-arg={arg}");
    }
}
