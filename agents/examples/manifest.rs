//! Prints the manifest of a model with a policy and a value in points. A trainer writes it beside
//! the model.
//!
//! ```sh
//! cargo run --example manifest -- planes-v1 tenhou > model.json
//! ```

use std::error::Error;

use jantaku_agents::encode::Encoder;
use jantaku_agents::neural::{Manifest, ValueHead};
use jantaku_engine::Rules;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let encoder = arguments.next().unwrap_or_else(|| "planes-v1".to_owned());
    let encoder = Encoder::named(&encoder).ok_or_else(|| format!("`{encoder}` is no encoder"))?;
    let name = arguments.next().unwrap_or_else(|| "tenhou".to_owned());
    let rules = Rules::preset(&name).ok_or_else(|| format!("`{name}` is no preset"))?;
    let mut manifest = Manifest::new(encoder, &rules);
    manifest.rules.name = Some(name);
    manifest.heads.value = Some(ValueHead { unit: "points".to_owned() });
    println!("{}", serde_json::to_string_pretty(&manifest)?);
    Ok(())
}
