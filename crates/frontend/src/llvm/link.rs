//! Makes one module of several.
//!
//! Symbols that all files see are one by name; of several definitions the strongest
//! stays, and two strong ones are a mistake of the user. Symbols of one file stay apart
//! and get a number behind their name where names clash. Types are the same if they
//! look the same, named ones if their names and fields are the same.
//!
//! Not guaranteed: declarations are not compared with the definition that they find. A
//! call may therefore pass other types than the function takes, as it may in C.

use super::module::{
    AliasId, Constant, FunctionId, Global, GlobalId, Linkage, MetadataId, Module, Symbol, SymbolId,
    SymbolTarget, Type, TypeId,
};
use super::resolve::{Choice, Choices, check_targets, choose, complaint, facts};
use super::visit::Renumber;
use program::Diagnostic;
use rustc_hash::FxHashMap;

/// Links modules, in the given order.
pub fn link(mut modules: Vec<Module>) -> Result<Module, Diagnostic> {
    if modules.len() < 2 {
        return Ok(modules.pop().unwrap_or_default());
    }
    check_targets(&modules)?;
    let chosen = choose(&modules)?;
    let mut linker = Linker::new(&modules, &chosen);
    for (index, module) in modules.into_iter().enumerate() {
        linker.add(index, module, &chosen)?;
    }
    Ok(linker.linked)
}

struct Linker {
    linked: Module,
    types: FxHashMap<Type, TypeId>,
    /// Every name in use.
    names: FxHashMap<Box<str>, SymbolId>,
    /// The next number to put behind a name.
    suffixes: FxHashMap<Box<str>, u32>,
    /// Arrays that are put one after the other.
    appending: FxHashMap<SymbolId, GlobalId>,
}

/// The ids of one module in the linked one.
struct Renumbering {
    types: Vec<TypeId>,
    symbols: Vec<SymbolId>,
    first_node: u32,
}

impl Renumber for Renumbering {
    fn type_id(&mut self, id: &mut TypeId) {
        *id = self.types[id.index()];
    }

    fn symbol(&mut self, id: &mut SymbolId) {
        *id = self.symbols[id.index()];
    }

    fn node(&mut self, id: &mut MetadataId) {
        id.0 += self.first_node;
    }
}

impl Linker {
    /// Reserves the names that all files see, in the order of the files.
    fn new(modules: &[Module], chosen: &Choices) -> Self {
        let mut linker = Linker {
            linked: Module::default(),
            types: FxHashMap::default(),
            names: FxHashMap::default(),
            suffixes: FxHashMap::default(),
            appending: FxHashMap::default(),
        };
        for module in modules {
            for symbol in &module.symbols {
                let shared = !facts(module, symbol).is_local();
                if shared && chosen.contains_key(&symbol.name) {
                    linker.shared_symbol(&symbol.name);
                }
            }
        }
        linker
    }

    fn shared_symbol(&mut self, name: &str) -> SymbolId {
        match self.names.get(name) {
            Some(&id) => id,
            None => self.new_symbol(name.into()),
        }
    }

    fn new_symbol(&mut self, name: Box<str>) -> SymbolId {
        let id = SymbolId(self.linked.symbols.len() as u32);
        self.names.insert(name.clone(), id);
        self.linked.symbols.push(Symbol {
            name,
            // Set when its definition comes.
            target: SymbolTarget::Global(GlobalId(0)),
        });
        id
    }

    /// A symbol of one file: renamed if its name is in use.
    fn local_symbol(&mut self, name: &str) -> SymbolId {
        if !self.names.contains_key(name) {
            return self.new_symbol(name.into());
        }
        let mut suffix = self.suffixes.get(name).copied().unwrap_or(0);
        let renamed = loop {
            suffix += 1;
            let renamed = format!("{name}.{suffix}");
            if !self.names.contains_key(renamed.as_str()) {
                break renamed;
            }
        };
        self.suffixes.insert(name.into(), suffix);
        self.new_symbol(renamed.into())
    }

    fn add(&mut self, index: usize, module: Module, chosen: &Choices) -> Result<(), Diagnostic> {
        let mut symbols = Vec::with_capacity(module.symbols.len());
        let mut kept = Vec::with_capacity(module.symbols.len());
        for (number, symbol) in module.symbols.iter().enumerate() {
            if facts(&module, symbol).is_local() {
                symbols.push(self.local_symbol(&symbol.name));
                kept.push(true);
                continue;
            }
            symbols.push(self.shared_symbol(&symbol.name));
            let choice = chosen.get(&symbol.name);
            let here = |choice: &Choice| (choice.module, choice.symbol.index()) == (index, number);
            kept.push(choice.is_some_and(here));
        }
        let mut renumbering = Renumbering {
            types: self.map_types(&module),
            symbols,
            first_node: self.linked.metadata.len() as u32,
        };
        self.definitions(module, &kept, &mut renumbering)
    }

    /// The ids of a module's types in the linked one. A type comes after its parts.
    fn map_types(&mut self, module: &Module) -> Vec<TypeId> {
        let mut map: Vec<Option<TypeId>> = vec![None; module.types.len()];
        let mut stack = Vec::new();
        for start in 0..module.types.len() {
            stack.push(TypeId(start as u32));
            while let Some(&id) = stack.last() {
                let pending = stack.len();
                let parts = module.type_of(id).parts();
                stack.extend(parts.filter(|part| map[part.index()].is_none()));
                if stack.len() > pending {
                    continue;
                }
                stack.pop();
                if map[id.index()].is_none() {
                    let mut new = module.type_of(id).clone();
                    new.map_parts(|part| map[part.index()].unwrap_or(part));
                    map[id.index()] = Some(self.intern(new));
                }
            }
        }
        map.into_iter().flatten().collect()
    }

    fn intern(&mut self, new: Type) -> TypeId {
        let next = TypeId(self.linked.types.len() as u32);
        let id = *self.types.entry(new.clone()).or_insert(next);
        if id == next {
            self.linked.types.push(new);
        }
        id
    }

    /// Moves what is kept of a module over.
    fn definitions(
        &mut self,
        module: Module,
        kept: &[bool],
        renumbering: &mut Renumbering,
    ) -> Result<(), Diagnostic> {
        let first_source = self.linked.sources.len() as u32;
        self.linked.sources.extend(module.sources);
        self.linked.source_filenames.extend(module.source_filenames);
        if self.linked.data_layout.is_empty() {
            self.linked.data_layout = module.data_layout;
        }
        if self.linked.triple.is_empty() {
            self.linked.triple = module.triple;
        }
        self.linked.assembly.extend(module.assembly);
        for mut node in module.metadata {
            renumbering.metadata(&mut node);
            self.linked.metadata.push(node);
        }
        for (name, mut nodes) in module.named_metadata {
            nodes.iter_mut().for_each(|id| renumbering.node(id));
            let named = &mut self.linked.named_metadata;
            match named.iter_mut().find(|(known, _)| *known == name) {
                Some((_, known)) => known.extend(nodes),
                None => named.push((name, nodes)),
            }
        }
        for mut function in module.functions {
            if kept[function.symbol.index()] {
                renumbering.function(&mut function);
                function.source.0 += first_source;
                let id = FunctionId(self.linked.functions.len() as u32);
                self.linked.symbols[function.symbol.index()].target = SymbolTarget::Function(id);
                self.linked.functions.push(function);
            }
        }
        for mut alias in module.aliases {
            if kept[alias.symbol.index()] {
                renumbering.symbol(&mut alias.symbol);
                renumbering.type_id(&mut alias.value_type);
                renumbering.constant(&mut alias.target);
                alias.source.0 += first_source;
                let id = AliasId(self.linked.aliases.len() as u32);
                self.linked.symbols[alias.symbol.index()].target = SymbolTarget::Alias(id);
                self.linked.aliases.push(alias);
            }
        }
        for mut global in module.globals {
            let keep = kept[global.symbol.index()];
            let appending = global.linkage == Linkage::Appending;
            if keep || appending {
                renumbering.symbol(&mut global.symbol);
                renumbering.type_id(&mut global.value_type);
                global
                    .initial
                    .iter_mut()
                    .for_each(|value| renumbering.constant(value));
                global.debug.iter_mut().for_each(|id| renumbering.node(id));
                global.source.0 += first_source;
                self.global(global)?;
            }
        }
        Ok(())
    }

    fn global(&mut self, global: Global) -> Result<(), Diagnostic> {
        if let Some(&known) = self.appending.get(&global.symbol) {
            return self.append(known, global);
        }
        let id = GlobalId(self.linked.globals.len() as u32);
        if global.linkage == Linkage::Appending {
            self.appending.insert(global.symbol, id);
        }
        self.linked.symbols[global.symbol.index()].target = SymbolTarget::Global(id);
        self.linked.globals.push(global);
        Ok(())
    }

    /// `llvm.global_ctors` and the like: one array after the other.
    fn append(&mut self, known: GlobalId, more: Global) -> Result<(), Diagnostic> {
        let name = self.linked.symbols[more.symbol.index()].name.clone();
        let wrong = |linker: &Self| {
            let message = format!("the arrays `{name}` cannot be put together");
            complaint(&linker.linked, more.source, more.line, message)
        };
        let old = &self.linked.globals[known.index()];
        let element = match (
            self.linked.type_of(old.value_type),
            self.linked.type_of(more.value_type),
        ) {
            (Type::Array { element, .. }, Type::Array { element: other, .. })
                if element == other =>
            {
                *element
            }
            _ => return Err(wrong(self)),
        };
        let Some(added) = elements(&more.initial) else {
            return Err(wrong(self));
        };
        let Some(mut all) = elements(&old.initial) else {
            return Err(wrong(self));
        };
        all.extend(added);
        let count = all.len() as u64;
        let value_type = self.intern(Type::Array { count, element });
        let old = &mut self.linked.globals[known.index()];
        old.value_type = value_type;
        old.initial = Some(Constant::Aggregate(all.into()));
        Ok(())
    }
}

fn elements(initial: &Option<Constant>) -> Option<Vec<super::module::Operand>> {
    match initial {
        Some(Constant::Aggregate(elements)) => Some(elements.to_vec()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llvm::{SourceId, parse};
    use program::Source;

    fn module(name: &str, text: &str) -> Module {
        let text = format!("source_filename = \"{name}.c\"\n{text}");
        parse(&Source::new(format!("{name}.ll"), text)).unwrap()
    }

    fn linked(texts: &[&str]) -> Result<Module, Diagnostic> {
        let names = ["a", "b", "c"];
        let modules = names
            .iter()
            .zip(texts)
            .map(|(name, text)| module(name, text));
        link(modules.collect())
    }

    fn names(module: &Module) -> Vec<&str> {
        module.symbols.iter().map(|symbol| &*symbol.name).collect()
    }

    #[test]
    fn a_declaration_finds_its_definition() {
        let main = "declare i32 @f(i32)\n\
                    define i32 @main() {\n %1 = call i32 @f(i32 1)\n ret i32 %1\n}\n";
        let module = linked(&[main, "define i32 @f(i32 %x) {\n ret i32 %x\n}\n"]).unwrap();
        assert_eq!(names(&module), ["f", "main"]);
        assert_eq!(module.functions.len(), 2);
        let f = &module.functions[module.function("f").unwrap().index()];
        assert_eq!((f.blocks.len(), f.source, f.line), (1, SourceId(1), 2));
    }

    #[test]
    fn symbols_of_one_file_stay_apart() {
        let text = |n| format!("@x = internal global i32 {n}\n@p{n} = global ptr @x\n");
        let module = linked(&[&text(1), &text(2)]).unwrap();
        assert_eq!(names(&module), ["p1", "p2", "x", "x.1"]);
        let target = |global: usize| module.globals[global].initial.clone();
        let values: Vec<_> = (0..4).map(target).collect();
        assert_eq!(values[1], Some(Constant::Symbol(SymbolId(2))));
        assert_eq!(values[3], Some(Constant::Symbol(SymbolId(3))));
    }

    #[test]
    fn two_strong_definitions_are_a_mistake() {
        let text = "@x = global i32 1\n";
        let complaint = linked(&[text, text]).unwrap_err();
        let expected = "b.ll:2:1: `x` is defined in a.c and in b.c";
        assert_eq!(complaint.to_string(), expected);
    }

    #[test]
    fn the_strongest_definition_stays() {
        let value = |texts: &[&str]| {
            let module = linked(texts).unwrap();
            assert_eq!(module.globals.len(), 1);
            module.globals[0].initial.clone()
        };
        let (weak, strong) = ("@x = weak global i32 1\n", "@x = global i32 2\n");
        let (common, declared) = ("@x = common global i32 0\n", "@x = external global i32\n");
        let large = "@x = common global i64 0\n";
        let one = |n| Some(Constant::Integer(n));
        assert_eq!(value(&[weak, strong]), one(2));
        assert_eq!(value(&[strong, weak]), one(2));
        assert_eq!(value(&[weak, common]), one(0));
        assert_eq!(value(&[common, strong]), one(2));
        assert_eq!(value(&[declared, weak]), one(1));
        assert_eq!(value(&[declared, declared]), None);
        let module = linked(&[common, large]).unwrap();
        assert_eq!(module.describe(module.globals[0].value_type), "i64");
    }

    #[test]
    fn a_function_is_no_variable() {
        let complaint = linked(&["@x = global i32 1\n", "declare void @x()\n"]).unwrap_err();
        assert!(
            complaint.message.contains("not the same kind"),
            "{complaint}"
        );
    }

    #[test]
    fn types_and_metadata_are_merged() {
        let text = |name: &str, line| {
            format!(
                "%s = type {{ i32, [2 x %t] }}\n%t = type {{ ptr }}\n\
                 @{name} = global %s zeroinitializer, !dbg !0\n\
                 !cu = !{{!1}}\n!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())\n\
                 !1 = !DIGlobalVariable(name: \"{name}\", line: {line})\n"
            )
        };
        let module = linked(&[&text("x", 3), &text("y", 7)]).unwrap();
        assert_eq!(module.globals[0].value_type, module.globals[1].value_type);
        assert_eq!(module.named_metadata.len(), 1);
        assert_eq!(module.named_metadata[0].1.len(), 2);
        use crate::llvm::Metadata;
        let expression = module.node(module.globals[1].debug[0]);
        let Metadata::GlobalVariableExpression {
            variable: Some(variable),
            ..
        } = expression
        else {
            panic!("{expression:?}");
        };
        let variable = module.node(*variable);
        assert!(
            matches!(variable, Metadata::GlobalVariable { line: 7, .. }),
            "{variable:?}"
        );
    }

    #[test]
    fn arrays_are_appended() {
        let text = |name| {
            format!(
                "@llvm.used = appending global [1 x ptr] [ptr @{name}]\n@{name} = global i32 0\n"
            )
        };
        let module = linked(&[&text("x"), &text("y"), &text("z")]).unwrap();
        let global = &module.globals[0];
        assert_eq!(module.describe(global.value_type), "[3 x ptr]");
    }
}
