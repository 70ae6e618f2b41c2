//! Memory as bytes in objects.
//!
//! An address has 47 bits, so that programs may keep a tag in the upper 16: a *region*
//! (0 for what the program declares, *t* + 1 for what thread *t* makes), the number of an
//! object in it, and an offset of 20 bits. Objects over 2^20 bytes take several numbers.
//! Numbers go up by one for every allocation of a thread and are not used again, so an
//! address means the same in every interleaving, and a pointer to something freed stays
//! one. Numbers of locals do come again, as on any stack, but differ in their lowest bits
//! eight times before they do.
//!
//! Objects are shared between copies of a memory until one of them writes.

mod changes;

use super::value::Value;
use answer::{Fault, FaultKind};
use changes::Change;
use program::{Address, Object, ObjectKind, Program, Span, ThreadId, TypeId};
use program::{Width, Word};
use std::sync::Arc;

const OFFSET_BITS: u32 = Address::OFFSET_BITS;
const INDEX_BITS: u32 = 20;
const ADDRESS_BITS: u32 = 47;
/// Numbers from here on are locals.
const FIRST_LOCAL: u32 = 1 << (INDEX_BITS - 1);
/// A local's number times this, plus how often it was used before.
const GENERATIONS: u32 = 8;
/// Most threads of a process: regions fit seven bits.
pub const MOST_THREADS: usize = (1 << (ADDRESS_BITS - INDEX_BITS - OFFSET_BITS)) - 2;

/// How an object came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// Declared by the program.
    Global(u32),
    /// Declared by a function; the name's number.
    Local(u32),
    /// Asked for with `malloc` or the like.
    Heap,
}

/// How an object stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Life {
    /// It can be used.
    Alive,
    /// It was freed there, or went out of scope there.
    Over(Span),
}

/// A stretch of memory.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bytes {
    /// The contents; empty once the object's life is over.
    pub data: Vec<u8>,
    /// Undefined bits of the contents; empty if there are none.
    pub undefined: Vec<u8>,
    /// Size in bytes.
    pub size: u64,
    /// How it stands.
    pub life: Life,
    /// The only thread that can reach it, as far as pointers tell.
    pub private_to: Option<ThreadId>,
}

/// An object and what is known of it for good.
#[derive(Clone, Debug)]
pub struct Block {
    /// What it holds.
    pub bytes: Arc<Bytes>,
    /// How it came to be.
    pub origin: Origin,
    /// What it may be used for.
    pub kind: ObjectKind,
    /// Where it was made.
    pub made_at: Span,
    /// How it is laid out.
    pub layout: Option<TypeId>,
    /// Hash of `bytes`, once computed.
    pub hash: Option<u128>,
}

#[derive(Clone, Debug)]
enum Entry {
    Block(Block),
    /// Part of a large object that starts this many entries before.
    Part(u32),
    /// A large local, which lies among the heap's objects at this index.
    Large(u32),
    /// Nothing.
    Free,
}

#[derive(Clone, Debug, Default)]
struct Region {
    /// Declared objects, or the thread's heap.
    entries: Vec<Entry>,
    /// The thread's locals with their generation, innermost last. Ended ones stay until
    /// their number is used again.
    locals: Vec<(u8, Entry)>,
    /// Locals in use.
    depth: u32,
}

/// Where an address points: what a [`Memory`] finds a block by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId {
    region: u16,
    index: u32,
}

impl BlockId {
    /// The address of the block's first byte.
    pub fn base(self) -> Word {
        (Word::from(self.region) << (INDEX_BITS + OFFSET_BITS))
            + (Word::from(self.index) << OFFSET_BITS)
    }
}

impl BlockId {
    /// The number of the thread that made an object of the heap, and which of its objects
    /// it is.
    pub fn heap_number(self) -> (u16, u32) {
        (self.region.saturating_sub(1), self.index + 1)
    }
}

/// A location in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Location {
    /// The block.
    pub block: BlockId,
    /// Byte offset; may be outside.
    pub offset: u64,
}

/// All memory of a process.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    regions: Vec<Region>,
    /// How to take back what was changed, if somebody may want to.
    changes: Option<Vec<Change>>,
}

const FIRST_GLOBAL: u32 = (Address::BASE >> OFFSET_BITS) as u32;

impl Memory {
    /// The memory of a program before it starts.
    pub fn of(program: &Program) -> Self {
        let mut globals = Region::default();
        for (index, object) in program.objects.iter().enumerate() {
            globals.entries.push(match object.cells() {
                0 if !matches!(object.kind, ObjectKind::Code(_)) => Entry::Free,
                _ => Entry::Block(declared(index as u32, object)),
            });
        }
        // The room of a large object: its first entry, and the empty ones after it.
        let mut large = None;
        for index in 0..globals.entries.len() {
            match (&globals.entries[index], large) {
                (Entry::Block(block), _) => {
                    large = Some((index, block.bytes.size));
                }
                (_, Some((start, size))) if ((index - start) as u64) << OFFSET_BITS <= size => {
                    globals.entries[index] = Entry::Part((index - start) as u32);
                }
                _ => {}
            }
        }
        Memory {
            regions: vec![globals],
            changes: None,
        }
    }

    /// Becomes a copy of another, in the room that it has.
    pub fn copy_from(&mut self, other: &Memory) {
        self.regions
            .resize_with(other.regions.len(), Region::default);
        for (region, other) in self.regions.iter_mut().zip(&other.regions) {
            region.entries.clone_from(&other.entries);
            region.locals.clone_from(&other.locals);
            region.depth = other.depth;
        }
        self.changes.clone_from(&other.changes);
    }

    /// Makes room for another thread, with its own copies of per-thread objects.
    pub fn add_thread(&mut self, program: &Program) {
        let thread = ThreadId::from(self.regions.len() - 1);
        let mut region = Region::default();
        for (index, object) in program.objects.iter().enumerate() {
            if object.kind == ObjectKind::PerThread {
                let mut block = declared(index as u32, object);
                block.kind = ObjectKind::Shared;
                Arc::make_mut(&mut block.bytes).private_to = Some(thread);
                region.locals.push((0, Entry::Block(block)));
                region.depth += 1;
            }
        }
        self.regions.push(region);
        self.note(|_| Some(Change::Region));
    }

    /// The address of a thread's own copy of the `rank`th per-thread object.
    pub fn own(thread: ThreadId, rank: u32) -> Word {
        BlockId {
            region: thread.0 as u16 + 1,
            index: FIRST_LOCAL + rank * GENERATIONS,
        }
        .base()
    }

    /// Where `word` points, if it is an address at all.
    #[inline]
    pub fn locate(&self, word: Word) -> Option<Location> {
        if word >> ADDRESS_BITS != 0 {
            return None;
        }
        let number = (word >> (INDEX_BITS + OFFSET_BITS)) as usize;
        let mut index = ((word >> OFFSET_BITS) as u32) & ((1 << INDEX_BITS) - 1);
        let mut offset = word & ((1 << OFFSET_BITS) - 1);
        let region = self.regions.get(number)?;
        if let Entry::Part(back) = region.entry(number, index)? {
            index -= back;
            offset += u64::from(*back) << OFFSET_BITS;
        }
        let block = BlockId {
            region: number as u16,
            index,
        };
        Some(Location { block, offset })
    }

    /// Where `word` pointed while a local lived whose number is in use again.
    pub fn locate_ended_local(&self, word: Word) -> Option<Location> {
        let number = (word >> (INDEX_BITS + OFFSET_BITS)) as usize;
        let index = ((word >> OFFSET_BITS) as u32) & ((1 << INDEX_BITS) - 1);
        let position = index.checked_sub(FIRST_LOCAL)? / GENERATIONS;
        let region = self.regions.get(number).filter(|_| number > 0)?;
        ((position as usize) < region.locals.len()).then_some(Location {
            block: BlockId {
                region: number as u16,
                index,
            },
            offset: word & ((1 << OFFSET_BITS) - 1),
        })
    }

    /// Where `word` points once the tag is gone that a program may keep in its upper bits.
    pub fn locate_tagged(&self, word: Word) -> Option<Location> {
        self.locate(word & ((1 << ADDRESS_BITS) - 1))
    }

    /// The block of this id. The id must come from [`Memory::locate`].
    #[inline]
    pub fn block(&self, id: BlockId) -> Option<&Block> {
        match self
            .regions
            .get(usize::from(id.region))?
            .entry(id.region.into(), id.index)?
        {
            Entry::Block(block) => Some(block),
            Entry::Part(_) | Entry::Large(_) | Entry::Free => None,
        }
    }

    /// The block of this id, to be changed.
    pub fn block_mut(&mut self, id: BlockId) -> Option<&mut Block> {
        self.note(|memory| Some(Change::Block(id, memory.block(id)?.clone())));
        self.unnoted(id)
    }

    #[inline]
    fn unnoted(&mut self, id: BlockId) -> Option<&mut Block> {
        let number = id.region.into();
        match self
            .regions
            .get_mut(usize::from(id.region))?
            .entry_mut(number, id.index)?
        {
            Entry::Block(block) => {
                block.hash = None;
                Some(block)
            }
            Entry::Part(_) | Entry::Large(_) | Entry::Free => None,
        }
    }

    /// About how many bytes a copy takes that shares all objects but one.
    pub fn size(&self) -> usize {
        let entries = self.regions.iter().map(|region| {
            region.entries.len() * size_of::<Entry>() + region.locals.len() * size_of::<Entry>()
        });
        entries.sum::<usize>() + size_of::<Bytes>()
    }

    /// True if anything was ever allocated.
    pub fn has_heap(&self) -> bool {
        self.regions
            .iter()
            .skip(1)
            .any(|region| !region.entries.is_empty())
    }

    /// Every block with its id.
    pub fn blocks(&self) -> impl Iterator<Item = (BlockId, &Block)> {
        self.regions
            .iter()
            .enumerate()
            .flat_map(|(number, region)| {
                let first = if number == 0 { FIRST_GLOBAL } else { 0 };
                let entries = region.entries.iter().enumerate();
                let entries = entries.map(move |(index, entry)| (first + index as u32, entry));
                let locals = region.locals.iter().enumerate().map(|(position, local)| {
                    let (generation, entry) = local;
                    (local_index(position as u32, *generation), entry)
                });
                entries.chain(locals).filter_map(move |(index, entry)| {
                    let region = number as u16;
                    match entry {
                        Entry::Block(block) => Some((BlockId { region, index }, block)),
                        Entry::Part(_) | Entry::Large(_) | Entry::Free => None,
                    }
                })
            })
    }

    /// Shows every block that may change, with its region's number and its own.
    pub fn changeable_blocks(&mut self, mut with: impl FnMut(usize, u32, &mut Block)) {
        for (number, region) in self.regions.iter_mut().enumerate() {
            let locals = region.locals.iter_mut().enumerate();
            let locals = locals.map(|(position, (generation, entry))| {
                (local_index(position as u32, *generation), entry)
            });
            let entries = region.entries.iter_mut().enumerate();
            let entries = entries.map(|(index, entry)| (index as u32, entry));
            for (index, entry) in entries.chain(locals) {
                if let Entry::Block(block) = entry
                    && !matches!(block.kind, ObjectKind::Constant | ObjectKind::Code(_))
                {
                    with(number, index, block);
                }
            }
        }
    }

    /// Makes a new object on a thread's heap; `None` if there is no room.
    pub fn allocate(
        &mut self,
        thread: ThreadId,
        size: u64,
        zeroed: bool,
        made_at: Span,
        layout: Option<TypeId>,
    ) -> Option<Word> {
        let number = thread.0 as u16 + 1;
        let index = self.regions[usize::from(number)].entries.len() as u32;
        let parts = u32::try_from(size >> OFFSET_BITS).ok()?;
        if parts >= FIRST_LOCAL || index >= FIRST_LOCAL - parts - 1 {
            return None;
        }
        self.note(|_| Some(Change::Heap(number, index)));
        let region = &mut self.regions[usize::from(number)];
        region.entries.push(Entry::Block(Block {
            bytes: Arc::new(Bytes::new(size, zeroed, thread)),
            origin: Origin::Heap,
            kind: ObjectKind::Shared,
            made_at,
            layout,
            hash: None,
        }));
        region.entries.extend((1..=parts).map(Entry::Part));
        let region = number;
        Some(BlockId { region, index }.base())
    }

    /// Makes a new local of a thread; `None` if there is no room.
    pub fn push_local(
        &mut self,
        thread: ThreadId,
        size: u64,
        name: u32,
        made_at: Span,
        layout: Option<TypeId>,
    ) -> Option<Word> {
        let number = thread.0 as u16 + 1;
        let origin = Origin::Local(name);
        if size >> OFFSET_BITS > 0 {
            let large = self.regions[usize::from(number)].entries.len() as u32;
            let address = self.allocate(thread, size, false, made_at, layout)?;
            let region = &mut self.regions[usize::from(number)];
            if let Some(Entry::Block(block)) = region.entries.get_mut(large as usize) {
                block.origin = origin;
            }
            self.put_local(number, Entry::Large(large))?;
            return Some(address);
        }
        let block = Block {
            bytes: Arc::new(Bytes::new(size, false, thread)),
            origin,
            kind: ObjectKind::Shared,
            made_at,
            layout,
            hash: None,
        };
        let index = self.put_local(number, Entry::Block(block))?;
        let region = number;
        Some(BlockId { region, index }.base())
    }

    /// Puts an entry on top of a region's locals; its index, unless there is no room.
    fn put_local(&mut self, number: u16, entry: Entry) -> Option<u32> {
        let (index, old) = self.regions[usize::from(number)].push_local(entry)?;
        self.note(|_| Some(Change::Pushed(number, old)));
        Some(index)
    }

    /// Number of a thread's locals in use, to go back to.
    pub fn depth(&self, thread: ThreadId) -> u32 {
        self.regions[thread.index() + 1].depth
    }

    /// True if other threads can reach a local of a thread, or its own storage.
    pub fn has_shared_locals(&self, thread: ThreadId) -> bool {
        let region = &self.regions[thread.index() + 1];
        let mut locals = region.locals.iter().take(region.depth as usize);
        locals.any(|(_, entry)| {
            let entry = match entry {
                Entry::Large(index) => region.entries.get(*index as usize),
                entry => Some(entry),
            };
            matches!(entry, Some(Entry::Block(block)) if block.bytes.private_to.is_none())
        })
    }

    /// Ends the life of a thread's locals down to an earlier depth; tells which, their sizes
    /// and whether they were private.
    pub fn pop_locals(
        &mut self,
        thread: ThreadId,
        depth: u32,
        at: Span,
        mut ended: impl FnMut(BlockId, u64, bool),
    ) {
        let region = thread.0 as u16 + 1;
        let number = usize::from(region);
        if self.regions[number].depth > depth {
            self.note(|memory| Some(Change::Depth(region, memory.regions[number].depth)));
        }
        while self.regions[number].depth > depth {
            self.regions[number].depth -= 1;
            let position = self.regions[number].depth;
            let (generation, entry) = &self.regions[number].locals[position as usize];
            let index = match entry {
                Entry::Large(index) => *index,
                _ => local_index(position, *generation),
            };
            let id = BlockId { region, index };
            let private = self.block(id).is_some_and(|b| b.bytes.private_to.is_some());
            let size = self.block(id).map_or(0, |block| block.bytes.size);
            if let Some(block) = self.block_mut(id) {
                Arc::make_mut(&mut block.bytes).end(at);
            }
            ended(id, size, private);
        }
    }

    /// Reads `size` bytes, at most 8. The location must be inside a living block.
    #[inline]
    pub fn read(&self, at: Location, size: u32) -> Value {
        let Some(block) = self.block(at.block) else {
            return Value::UNDEFINED;
        };
        block.bytes.read(at.offset as usize, size as usize)
    }

    /// Writes the low `size` bytes of `value`. The location must be inside a living block.
    #[inline]
    pub fn write(&mut self, at: Location, size: u32, value: Value) {
        self.note(|memory| Some(Change::Bytes(at, size as u8, memory.read(at, size))));
        self.put(at, size, value);
    }

    #[inline]
    fn put(&mut self, at: Location, size: u32, value: Value) {
        if let Some(block) = self.unnoted(at.block) {
            Arc::make_mut(&mut block.bytes).write(at.offset as usize, size as usize, value);
        }
    }

    /// Where an access of `size` bytes to the address `word` goes, or what is wrong with it.
    #[inline]
    pub fn check(&self, word: Word, size: u64, writes: bool) -> Result<Location, Box<Fault>> {
        let location = self.locate(word);
        if let Some(at) = location
            && let Some(block) = self.block(at.block)
            && block.bytes.life == Life::Alive
            && at.offset.saturating_add(size) <= block.bytes.size
            && (block.kind == ObjectKind::Shared || !writes && block.kind == ObjectKind::Constant)
        {
            return Ok(at);
        }
        Err(Box::new(self.complaint(word, location, size, writes)))
    }

    /// Why an access is wrong.
    #[cold]
    fn complaint(&self, word: Word, location: Option<Location>, size: u64, writes: bool) -> Fault {
        let what = if writes { "write to" } else { "read of" };
        if word < 1 << 16 {
            let message = match word {
                0 => format!("{what} address 0, the null pointer"),
                _ => format!("{what} address {word:#x}, near the null pointer"),
            };
            return Fault::new(FaultKind::Null, message);
        }
        let block = location.and_then(|at| Some((at, self.block(at.block)?)));
        let Some((at, block)) = block else {
            return Fault::new(
                FaultKind::Wild,
                format!("{what} {word:#x}, where nothing is"),
            );
        };
        // The caller puts the object's name in place of `{}`.
        if let Life::Over(end) = block.bytes.life {
            let (how, there) = match block.origin {
                Origin::Heap => ("was freed", "freed here"),
                _ => ("is out of scope", "its scope ends here"),
            };
            return Fault::new(FaultKind::Dangling, format!("{what} {{}}, which {how}"))
                .with(end, there)
                .with(block.made_at, "made here");
        }
        if matches!(block.kind, ObjectKind::Code(_)) {
            return Fault::new(FaultKind::ReadOnly, format!("{what} the code of {{}}"));
        }
        let end = at.offset.saturating_add(size);
        if end > block.bytes.size {
            let (offset, whole) = (at.offset, block.bytes.size);
            let what = if writes { "write of" } else { "read of" };
            let message =
                format!("{what} {size} bytes at offset {offset} of {{}}, which has {whole}");
            return Fault::new(FaultKind::Bounds, message).with(block.made_at, "made here");
        }
        Fault::new(
            FaultKind::ReadOnly,
            format!("{what} {{}}, which is constant"),
        )
    }
}

impl Region {
    #[inline]
    fn entry(&self, number: usize, index: u32) -> Option<&Entry> {
        if number == 0 {
            return self.entries.get(index.checked_sub(FIRST_GLOBAL)? as usize);
        }
        let Some((position, wanted)) = local_of(index) else {
            return self.entries.get(index as usize);
        };
        let (generation, entry) = self.locals.get(position as usize)?;
        (*generation == wanted).then_some(entry)
    }

    /// Puts an entry on top of the locals; its index and what was there, unless there is
    /// no room.
    fn push_local(&mut self, entry: Entry) -> Option<(u32, Option<(u8, Entry)>)> {
        let position = self.depth;
        if position >= FIRST_LOCAL / GENERATIONS {
            return None;
        }
        self.depth += 1;
        match self.locals.get_mut(position as usize) {
            Some(local) => {
                let generation = (local.0 + 1) % GENERATIONS as u8;
                let old = std::mem::replace(local, (generation, entry));
                Some((local_index(position, generation), Some(old)))
            }
            None => {
                self.locals.push((0, entry));
                Some((local_index(position, 0), None))
            }
        }
    }

    fn entry_mut(&mut self, number: usize, index: u32) -> Option<&mut Entry> {
        if number == 0 {
            return self
                .entries
                .get_mut(index.checked_sub(FIRST_GLOBAL)? as usize);
        }
        let Some(local) = index.checked_sub(FIRST_LOCAL) else {
            return self.entries.get_mut(index as usize);
        };
        let (_, entry) = self.locals.get_mut((local / GENERATIONS) as usize)?;
        Some(entry)
    }
}

fn local_index(position: u32, generation: u8) -> u32 {
    FIRST_LOCAL + position * GENERATIONS + u32::from(generation)
}

/// The position and generation of a local by its index.
fn local_of(index: u32) -> Option<(u32, u8)> {
    let local = index.checked_sub(FIRST_LOCAL)?;
    Some((local / GENERATIONS, (local % GENERATIONS) as u8))
}

fn declared(index: u32, object: &Object) -> Block {
    let cell = object.cell.bytes() as usize;
    let mut data = vec![0; object.size() as usize];
    for (number, word) in object.initial.iter().enumerate() {
        data[number * cell..][..cell].copy_from_slice(&word.to_le_bytes()[..cell]);
    }
    Block {
        bytes: Arc::new(Bytes {
            size: data.len() as u64,
            data,
            undefined: Vec::new(),
            life: Life::Alive,
            private_to: None,
        }),
        origin: Origin::Global(index),
        kind: object.kind,
        made_at: object.span,
        layout: object.layout,
        hash: None,
    }
}

/// The word of up to eight little-endian bytes.
fn word_of(bytes: &[u8]) -> Word {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    Word::from_le_bytes(word)
}

impl Bytes {
    fn new(size: u64, zeroed: bool, owner: ThreadId) -> Self {
        let length = size as usize;
        Bytes {
            data: vec![0; length],
            undefined: if zeroed {
                Vec::new()
            } else {
                vec![0xff; length]
            },
            size,
            life: Life::Alive,
            private_to: Some(owner),
        }
    }

    /// Ends the object's life.
    pub fn end(&mut self, at: Span) {
        self.data = Vec::new();
        self.undefined = Vec::new();
        self.life = Life::Over(at);
    }

    /// The aligned words that it holds, any of which may be an address.
    pub fn words(&self) -> impl Iterator<Item = Word> {
        self.data.chunks_exact(8).map(word_of)
    }

    /// Reads `size` bytes, at most 8.
    #[inline]
    pub fn read(&self, offset: usize, size: usize) -> Value {
        let word = match (size, self.data.get(offset..offset + size)) {
            (_, None) => return Value::UNDEFINED,
            (4, Some(bytes)) => {
                Word::from(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
            }
            (1, Some(bytes)) => Word::from(bytes[0]),
            (_, Some(bytes)) => word_of(bytes),
        };
        let undefined = match self.undefined.is_empty() {
            true => 0,
            false => word_of(&self.undefined[offset..offset + size]),
        };
        Value { word, undefined }
    }

    /// Writes the low `size` bytes of `value`.
    #[inline]
    pub fn write(&mut self, offset: usize, size: usize, value: Value) {
        if let Some(bytes) = self.data.get_mut(offset..offset + size) {
            bytes.copy_from_slice(&value.word.to_le_bytes()[..size]);
        }
        if self.undefined.is_empty() && value.undefined != 0 {
            self.undefined = vec![0; self.data.len()];
        }
        if let Some(bytes) = self.undefined.get_mut(offset..offset + size) {
            bytes.copy_from_slice(&value.undefined.to_le_bytes()[..size]);
        }
    }
}

/// All bits of a value of this many bytes.
pub fn width_of(bytes: u32) -> Width {
    Width::of_bits(bytes * 8).unwrap_or(Width::W64)
}
