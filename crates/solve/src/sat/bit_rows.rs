//! A square of bits.

/// A relation between nodes, one row of bits per node.
#[derive(Default)]
pub struct BitRows {
    size: usize,
    words: usize,
    bits: Vec<u64>,
}

impl BitRows {
    /// The number of nodes there is room for.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The number of words in a row.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Makes room for more nodes.
    pub fn grow(&mut self, size: usize) {
        let words = size.div_ceil(64);
        if words > self.words {
            let mut bits = vec![0; words * size];
            for (row, old) in self.bits.chunks_exact(self.words.max(1)).enumerate() {
                bits[row * words..][..self.words].copy_from_slice(old);
            }
            self.bits = bits;
            self.words = words;
        } else {
            self.bits.resize(words * size, 0);
        }
        self.size = size;
    }

    /// Whether two nodes are related.
    pub fn has(&self, row: u32, column: u32) -> bool {
        let word = self.bits[row as usize * self.words + column as usize / 64];
        word >> (column % 64) & 1 == 1
    }

    /// Relates two nodes.
    pub fn set(&mut self, row: u32, column: u32) {
        self.bits[row as usize * self.words + column as usize / 64] |= 1 << (column % 64);
    }

    /// All that a node is related to.
    pub fn row(&self, row: u32) -> &[u64] {
        &self.bits[row as usize * self.words..][..self.words]
    }

    /// All that a node is related to, to be changed.
    pub fn row_mut(&mut self, row: u32) -> &mut [u64] {
        &mut self.bits[row as usize * self.words..][..self.words]
    }
}
