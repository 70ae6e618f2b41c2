//! The words of the two languages, as the tables of the readers have them, for generators of
//! tests: one that lacks a word of these cannot claim to cover the languages.

use super::init;
use super::sparc::{self, Operation, When};
use super::x86;

/// Every mnemonic of X86 without size suffix, with all condition codes.
pub fn x86_mnemonics() -> Vec<String> {
    let plain = x86::mnemonics::plain_names().map(str::to_owned);
    let codes: Vec<&str> = x86_conditions();
    let conditional = ["J", "SET", "CMOV"].into_iter().flat_map(|prefix| {
        let named = codes.iter().map(move |code| format!("{prefix}{code}"));
        named.collect::<Vec<String>>()
    });
    plain.chain(conditional).collect()
}

/// Every mnemonic of X86 without condition code that takes size suffixes, with each of them.
pub fn x86_sized_mnemonics() -> Vec<String> {
    x86::mnemonics::plain_names()
        .flat_map(|name| ["B", "W", "L", "Q"].map(|suffix| format!("{name}{suffix}")))
        .filter(|name| matches!(x86::mnemonics::mnemonic(name), Some((_, Some(_)))))
        .collect()
}

/// The condition codes of X86.
pub fn x86_conditions() -> Vec<&'static str> {
    x86::mnemonics::conditions().collect()
}

/// The names of each register of X86: 64, 32, 16, 8 bits, and the second byte, empty if it has no name.
pub fn x86_register_views() -> &'static [[&'static str; 5]; 16] {
    &x86::registers::REGISTERS
}

/// Every name of a register of X86, or of a part of one.
pub fn x86_registers() -> Vec<&'static str> {
    x86::registers::names().collect()
}

/// Every mnemonic of SPARC.
pub fn sparc_mnemonics() -> Vec<&'static str> {
    sparc::names().collect()
}

/// The branches of SPARC that look at condition codes.
pub fn sparc_conditional_branches() -> Vec<&'static str> {
    let conditional =
        |name: &&str| matches!(sparc::mnemonic(name), Some(Operation::Branch(When::If(_))));
    sparc::names().filter(conditional).collect()
}

/// What `membar` may order, without the `#`.
pub fn sparc_orderings() -> Vec<&'static str> {
    sparc::ordering_names().collect()
}

/// Every type of locations that is one word, with its width in bits.
pub fn types() -> Vec<(&'static str, u32)> {
    init::type_names().collect()
}
