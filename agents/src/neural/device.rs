//! Where a network runs.

use std::fmt;
use std::str::FromStr;

/// Where a network runs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Device {
    /// The processor.
    #[default]
    Cpu,
    /// The CUDA device with this number, from 0.
    Cuda(usize),
}

/// Prints the name, such as `cuda:0`.
impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Device::Cpu => f.write_str("cpu"),
            Device::Cuda(number) => write!(f, "cuda:{number}"),
        }
    }
}

impl FromStr for Device {
    type Err = String;

    /// Reads `cpu`, `cuda`, which is the first CUDA device, or `cuda:0`, `cuda:1` and so on.
    fn from_str(text: &str) -> Result<Device, String> {
        let number = match text {
            "cpu" => return Ok(Device::Cpu),
            "cuda" => Some(0),
            _ => text.strip_prefix("cuda:").and_then(|number| number.parse().ok()),
        };
        number.map(Device::Cuda).ok_or_else(|| {
            format!("`{text}` is not a device; expected `cpu`, `cuda` or `cuda:N`, such as `cuda:0`")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Device;

    #[test]
    fn texts_name_devices() {
        for (text, device) in [
            ("cpu", Some(Device::Cpu)),
            ("cuda", Some(Device::Cuda(0))),
            ("cuda:0", Some(Device::Cuda(0))),
            ("cuda:12", Some(Device::Cuda(12))),
            ("0", None),
            ("cuda:", None),
            ("cuda:-1", None),
            ("gpu", None),
            ("CPU", None),
        ] {
            assert_eq!(text.parse().ok(), device, "{text}");
        }
        assert_eq!(Device::Cuda(1).to_string(), "cuda:1");
    }
}
