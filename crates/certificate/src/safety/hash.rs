//! FNV-1a of 128 bits: texts get cut and mixed up by mistake, not on purpose.

const BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;

/// The hash of some lines.
pub struct Hash(u128);

impl Default for Hash {
    fn default() -> Self {
        Hash(BASIS)
    }
}

impl Hash {
    /// Adds a line with its end.
    pub fn line(&mut self, text: &str) {
        let mix = |hash: u128, byte: &u8| (hash ^ u128::from(*byte)).wrapping_mul(PRIME);
        self.0 = text.as_bytes().iter().chain(b"\n").fold(self.0, mix);
    }

    /// As it stands in texts.
    pub fn text(&self) -> String {
        format!("{:032x}", self.0)
    }
}
