//! The registers of X86 and the views of them: `AL`, `AX`, `EAX` of `RAX`.

use program::Width;

/// A part of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// The name of the part.
    pub name: &'static str,
    /// The whole register, of 64 bits.
    pub register: &'static str,
    pub width: Width,
    /// The second byte of the register instead of the first: `AH`.
    pub high: bool,
}

/// For each register: 64, 32, 16, 8 bits, and the second byte if it has a name.
pub const REGISTERS: [[&str; 5]; 16] = [
    ["RAX", "EAX", "AX", "AL", "AH"],
    ["RBX", "EBX", "BX", "BL", "BH"],
    ["RCX", "ECX", "CX", "CL", "CH"],
    ["RDX", "EDX", "DX", "DL", "DH"],
    ["RSI", "ESI", "SI", "SIL", ""],
    ["RDI", "EDI", "DI", "DIL", ""],
    ["RBP", "EBP", "BP", "BPL", ""],
    ["RSP", "ESP", "SP", "SPL", ""],
    ["R8", "R8D", "R8W", "R8B", ""],
    ["R9", "R9D", "R9W", "R9B", ""],
    ["R10", "R10D", "R10W", "R10B", ""],
    ["R11", "R11D", "R11W", "R11B", ""],
    ["R12", "R12D", "R12W", "R12B", ""],
    ["R13", "R13D", "R13W", "R13B", ""],
    ["R14", "R14D", "R14W", "R14B", ""],
    ["R15", "R15D", "R15W", "R15B", ""],
];

const WIDTHS: [Width; 5] = [Width::W64, Width::W32, Width::W16, Width::W8, Width::W8];

/// The view of this name, in any case.
pub fn view(name: &str) -> Option<View> {
    REGISTERS.iter().find_map(|names| {
        let known = |known: &str| !known.is_empty() && known.eq_ignore_ascii_case(name);
        let index = names.iter().position(|candidate| known(candidate))?;
        Some(View {
            name: names[index],
            register: names[0],
            width: WIDTHS[index],
            high: index == 4,
        })
    })
}

/// The part of `RAX` that `CMPXCHG` compares in this width.
pub fn accumulator(width: Width) -> View {
    let index = WIDTHS.iter().position(|known| *known == width).unwrap_or(0);
    View {
        name: REGISTERS[0][index],
        register: REGISTERS[0][0],
        width,
        high: false,
    }
}

/// Every name of a register.
pub fn names() -> impl Iterator<Item = &'static str> {
    let all = REGISTERS.iter().flatten().copied();
    all.filter(|name| !name.is_empty())
}
