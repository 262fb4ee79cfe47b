//! A reader and writer of the files of tables that knows of them what docs/formats/tablebases.md says, and
//! nothing of the library.

const HEADER: usize = 4096;
const BLOCK: usize = 4096;

/// All bytes of a file.
pub(crate) struct TableFile(pub(crate) Vec<u8>);

/// CRC-32 as in zlib, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), step))
}

fn binomial(n: usize, k: usize) -> usize {
    if k > n { 0 } else { (1..=k).fold(1, |product, i| product * (n - k + i) / i) }
}

/// How many rows of so many houses have so many seeds.
fn rows(houses: usize, seeds: usize) -> usize {
    binomial(seeds + houses - 1, houses - 1)
}

fn sum(row: &[u16]) -> usize {
    row.iter().map(|&seeds| usize::from(seeds)).sum()
}

fn rank(row: &[u16]) -> usize {
    (0..row.len() - 1).map(|j| binomial(sum(&row[..=j]) + j, j + 1)).sum()
}

/// The number of a position in its layer.
pub(crate) fn entry(own: &[u16], opponent: &[u16]) -> usize {
    let (houses, a, b) = (own.len(), sum(own), sum(opponent));
    let blocks: usize = (0..a).map(|i| rows(houses, i) * rows(houses, a + b - i)).sum();
    blocks + rank(own) * rows(houses, b) + rank(opponent)
}

impl TableFile {
    fn number(&self, start: usize, length: usize) -> usize {
        self.0[start..start + length].iter().rev().fold(0, |n, &byte| n << 8 | usize::from(byte))
    }

    fn seeds(&self) -> i32 {
        self.number(12, 1) as i32
    }

    fn blocks(&self) -> usize {
        (self.0.len() - HEADER) / (BLOCK + 4)
    }

    /// Where the word of an entry is in the file, and where the entry is in the word.
    fn place(&self, entry: usize) -> (usize, usize) {
        let bits = self.number(13, 1);
        let in_word = 16 / bits;
        (HEADER + 2 * (entry / in_word), entry % in_word * bits)
    }

    /// The block of the file that an entry is in.
    pub(crate) fn block(&self, entry: usize) -> usize {
        (self.place(entry).0 - HEADER) / BLOCK
    }

    /// The entry that begins or goes on in a byte of a block, if it is one.
    pub(crate) fn entry_of_byte(&self, byte: usize) -> Option<usize> {
        let in_word = 16 / self.number(13, 1);
        let entry = byte.checked_sub(HEADER)? / 2 * in_word;
        (entry < self.number(24, 8)).then_some(entry)
    }

    pub(crate) fn gain(&self, entry: usize) -> i32 {
        assert!(entry < self.number(24, 8));
        let (word, shift) = self.place(entry);
        let level = self.number(word, 2) >> shift & ((1 << self.number(13, 1)) - 1);
        2 * level as i32 - self.seeds()
    }

    /// Changes a gain, and no checksum.
    pub(crate) fn set_gain(&mut self, entry: usize, gain: i32) {
        let (place, shift) = self.place(entry);
        let mask = (1 << self.number(13, 1)) - 1;
        let level = (gain + self.seeds()) as usize / 2;
        let word = self.number(place, 2) & !(mask << shift) | level << shift;
        self.0[place..place + 2].copy_from_slice(&(word as u16).to_le_bytes());
    }

    /// Makes all checksums those of what is there.
    pub(crate) fn seal(&mut self) {
        let checksums = HEADER + self.blocks() * BLOCK;
        for block in 0..self.blocks() {
            let start = HEADER + block * BLOCK;
            let checksum = crc32(&self.0[start..start + BLOCK]).to_le_bytes();
            self.0[checksums + 4 * block..][..4].copy_from_slice(&checksum);
        }
        let checksum = crc32(&self.0[checksums..]).to_le_bytes();
        self.0[20..24].copy_from_slice(&checksum);
        let checksum = crc32(&self.0[..HEADER - 4]).to_le_bytes();
        self.0[HEADER - 4..HEADER].copy_from_slice(&checksum);
    }

    /// Requires that the file is laid out as the description says.
    #[track_caller]
    pub(crate) fn assert_laid_out(&self, houses: usize, capture: usize, seeds: usize) {
        assert_eq!(self.0[..8], *b"\x89KTB\r\n\x1a\n");
        let entries = binomial(seeds + 2 * houses - 1, 2 * houses - 1);
        let bits = [(15, 4), (31, 5), (100, 8)].into_iter().find(|&(most, _)| seeds <= most);
        let bits = bits.unwrap().1;
        let fields = [(8, 2), (10, 1), (11, 1), (12, 1), (13, 1), (14, 2), (16, 4), (24, 8)];
        let found = fields.map(|(start, length)| self.number(start, length));
        assert_eq!(found, [1, houses, capture, seeds, bits, 0, BLOCK, entries]);
        assert!(self.0[32..HEADER - 4].iter().all(|&byte| byte == 0));
        let blocks = entries.div_ceil(16 / bits * BLOCK / 2);
        assert_eq!(self.0.len(), HEADER + blocks * (BLOCK + 4));
        let mut sealed = TableFile(self.0.clone());
        sealed.seal();
        assert!(sealed.0 == self.0, "the checksums are right");
    }
}
