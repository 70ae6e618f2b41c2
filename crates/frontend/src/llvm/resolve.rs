//! Which definition of a symbol the linker takes.

use super::module::{Linkage, Module, SourceId, Symbol, SymbolId, SymbolTarget, Type, TypeId};
use program::{Diagnostic, Span};
use rustc_hash::FxHashMap;

/// How much a definition counts; of two the stronger stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strength {
    WeakDeclaration,
    Declaration,
    Copy,
    LinkOnce,
    Weak,
    Common,
    Strong,
}

/// A symbol that all files see, and where its best definition is.
#[derive(Clone, Copy)]
pub(super) struct Choice {
    pub module: usize,
    pub symbol: SymbolId,
    strength: Strength,
}

pub(super) type Choices = FxHashMap<Box<str>, Choice>;

/// What the linker needs to know of a symbol.
pub(super) struct Facts {
    linkage: Linkage,
    declaration: bool,
    function: Option<bool>,
    source: SourceId,
    line: u32,
}

pub(super) fn facts(module: &Module, symbol: &Symbol) -> Facts {
    match symbol.target {
        SymbolTarget::Function(id) => {
            let function = &module.functions[id.index()];
            Facts {
                linkage: function.linkage,
                declaration: function.is_declaration(),
                function: Some(true),
                source: function.source,
                line: function.line,
            }
        }
        SymbolTarget::Global(id) => {
            let global = &module.globals[id.index()];
            Facts {
                linkage: global.linkage,
                declaration: global.initial.is_none(),
                function: Some(false),
                source: global.source,
                line: global.line,
            }
        }
        SymbolTarget::Alias(id) => {
            let alias = &module.aliases[id.index()];
            Facts {
                linkage: alias.linkage,
                declaration: false,
                function: None,
                source: alias.source,
                line: alias.line,
            }
        }
    }
}

impl Facts {
    /// Whether only its own file sees it.
    pub fn is_local(&self) -> bool {
        matches!(self.linkage, Linkage::Private | Linkage::Internal)
    }

    fn strength(&self) -> Strength {
        match self.linkage {
            Linkage::ExternWeak => Strength::WeakDeclaration,
            _ if self.declaration => Strength::Declaration,
            Linkage::AvailableExternally => Strength::Copy,
            Linkage::LinkOnce | Linkage::LinkOnceOdr => Strength::LinkOnce,
            Linkage::Weak | Linkage::WeakOdr => Strength::Weak,
            Linkage::Common => Strength::Common,
            _ => Strength::Strong,
        }
    }
}

/// Byte order and the size of pointers must be the same.
pub(super) fn check_targets(modules: &[Module]) -> Result<(), Diagnostic> {
    let shape = |module: &Module| {
        let parts = module.data_layout.split('-');
        let of_interest = |part: &&str| part.starts_with("p:") || *part == "E";
        parts
            .filter(of_interest)
            .map(String::from)
            .collect::<Vec<_>>()
    };
    let mut known = modules
        .iter()
        .filter(|module| !module.data_layout.is_empty());
    let Some(first) = known.next() else {
        return Ok(());
    };
    for module in known {
        if shape(module) != shape(first) {
            let message = format!(
                "{} and {} are made for different machines",
                file(first, SourceId(0)),
                file(module, SourceId(0))
            );
            return Err(complaint(module, SourceId(0), 0, message));
        }
    }
    Ok(())
}

/// Finds the best definition of each symbol that all files see.
pub(super) fn choose(modules: &[Module]) -> Result<Choices, Diagnostic> {
    let mut choices = Choices::default();
    for (index, module) in modules.iter().enumerate() {
        for (number, symbol) in module.symbols.iter().enumerate() {
            let new = facts(module, symbol);
            if new.is_local() {
                continue;
            }
            let choice = Choice {
                module: index,
                symbol: SymbolId(number as u32),
                strength: new.strength(),
            };
            let Some(old) = choices.get_mut(&symbol.name) else {
                choices.insert(symbol.name.clone(), choice);
                continue;
            };
            if is_better(modules, *old, choice)? {
                *old = choice;
            }
        }
    }
    Ok(choices)
}

fn is_better(modules: &[Module], old: Choice, new: Choice) -> Result<bool, Diagnostic> {
    let (first, second) = (&modules[old.module], &modules[new.module]);
    let symbol = second.symbol(new.symbol);
    let before = facts(first, first.symbol(old.symbol));
    let after = facts(second, symbol);
    let places = || {
        let first = file(first, before.source);
        format!("{first} and in {}", file(second, after.source))
    };
    if before.function.is_some() && after.function.is_some() && before.function != after.function {
        let name = &symbol.name;
        let message = format!("`{name}` is not the same kind of thing in {}", places());
        return Err(complaint(second, after.source, after.line, message));
    }
    if new.strength != old.strength {
        return Ok(new.strength > old.strength);
    }
    match new.strength {
        // The arrays are put together later.
        Strength::Strong if after.linkage == Linkage::Appending => Ok(false),
        Strength::Strong => {
            let message = format!("`{}` is defined in {}", symbol.name, places());
            Err(complaint(second, after.source, after.line, message))
        }
        Strength::Common => {
            let size = |module: &Module, symbol: &Symbol| match symbol.target {
                SymbolTarget::Global(id) => bits(module, module.globals[id.index()].value_type),
                _ => 0,
            };
            Ok(size(second, symbol) > size(first, first.symbol(old.symbol)))
        }
        _ => Ok(false),
    }
}

/// The size of a type without gaps, to find the larger of two tentative definitions.
/// The reader bounds how deep types are nested.
fn bits(module: &Module, id: TypeId) -> u64 {
    match module.type_of(id) {
        Type::Integer(bits) => u64::from(*bits),
        Type::Array { count, element } | Type::Vector { count, element, .. } => {
            count.saturating_mul(bits(module, *element))
        }
        Type::Struct { fields, .. } => fields.iter().fold(0, |sum: u64, field| {
            sum.saturating_add(bits(module, *field))
        }),
        Type::Half | Type::BFloat => 16,
        Type::Float => 32,
        Type::X86Fp80 | Type::Fp128 | Type::PpcFp128 => 128,
        _ => 64,
    }
}

/// The name of a file for messages: the one that was compiled, if known.
fn file(module: &Module, source: SourceId) -> String {
    let compiled = module.source_filenames.get(source.index());
    let read = module.sources.get(source.index());
    match (compiled, read) {
        (Some(name), _) if !name.is_empty() => name.to_string(),
        (_, Some(source)) => source.name.to_string(),
        _ => "a module without a file".to_string(),
    }
}

pub(super) fn complaint(
    module: &Module,
    source: SourceId,
    line: u32,
    message: String,
) -> Diagnostic {
    let source = module.sources.get(source.index()).cloned();
    Diagnostic {
        source: source.unwrap_or_else(|| program::Source::new("", "")),
        message,
        span: match line {
            0 => Span::NOWHERE,
            _ => Span::new(line, 1, 1),
        },
        label: String::new(),
        others: Vec::new(),
        help: None,
    }
}
