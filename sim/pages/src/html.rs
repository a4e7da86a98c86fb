//! What every page of HTML needs: texts and JSON that stay data, and the policy of its content.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

/// The content security policy of a page with exactly this style and script. `targets` are the
/// directives that say which addresses it may call.
pub fn policy(style: &str, script: &str, targets: &str) -> String {
    let [style, script] = [style, script].map(policy_hash);
    format!("default-src 'none'; style-src '{style}'; script-src '{script}'; base-uri 'none'; {targets}")
}

/// The source of a policy that allows exactly this style or script.
fn policy_hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}

/// JSON for a block of HTML. A text in it cannot end the block, or begin another element.
pub fn embedded(json: &str) -> String {
    json.replace('<', "\\u003c")
}

/// A text in HTML.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The hash that browsers compute of this text.
    #[test]
    fn policies_name_hashes() {
        assert_eq!(
            policy_hash("alert('Hello, world.');"),
            "sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng="
        );
    }
}
