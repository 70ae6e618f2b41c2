//! Hashes of texts: 128 bits, as hexadecimal digits. They notice changes, and prove nothing.

use serde::{Deserialize, Serialize};
use siphasher::sip128::{Hasher128, SipHasher13};
use std::fmt;
use std::hash::Hasher;

/// The hash of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hash(String);

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The hash of a text, or of other bytes.
pub fn hash(bytes: impl AsRef<[u8]>) -> Hash {
    let mut hasher = SipHasher13::new();
    hasher.write(bytes.as_ref());
    Hash(format!("{:032x}", hasher.finish128().as_u128()))
}
