//! Lowering: from an LLVM module to a [`Program`].
//!
//! Everything that the [entry](Entry) reaches is lowered, and nothing else. Every scalar value of the
//! module is a register; structs, arrays, vectors and wide integers are a register for each
//! of their leaves (`types`); variables whose address stays at home are registers
//! too (`promote`, `lent`); what is computed and never used is left out. Code that no row of the tables here or in
//! [`program::ROUTINES`] covers is refused with a [`Diagnostic`].
//!
//! Deviations from what LLVM says, all on purpose:
//!
//! 1. Volatile accesses that are not atomic are relaxed atomic ones: programs from before
//!    C11 mean that by them.
//! 2. `undef` and `poison` are one: a register that nothing has written. Flags such as
//!    `nsw` are ignored.
//! 3. `fma` rounds twice.
//! 4. A scope that is entered again finds its promoted variables as they were; `alloca`
//!    lives until its function returns.
//! 5. Exceptions do not exist: `invoke` is a call.
//! 6. A volatile variable that a loop writes and whose address stays in its function is a register as well: nobody else can
//!    look at it. Its loads are none, so no fence holds them back, and no store behind them.

mod aggregates;
mod allocations;
mod arithmetic;
mod assembly;
mod atomics;
mod bits;
mod body;
mod calls;
mod constants;
mod division;
mod flow;
mod functions;
mod globals;
mod held;
mod hooks;
mod instructions;
mod intrinsics;
mod layouts;
mod lent;
mod library;
mod memory;
mod names;
mod pointers;
mod promote;
mod spans;
mod statements;
#[cfg(test)]
mod tests;
mod types;
mod uses;
mod variables;
mod variadic;
mod wide;

use crate::client::{INITIALISATION, OPERATION};
use crate::llvm::{
    BlockId, Constant, FunctionId, GlobalId, InstructionKind, Metadata, MetadataId, Module,
    SymbolId, SymbolTarget,
};
use body::Body;
use hooks::Hooks;
use layouts::Layouts;
use lent::Lent;
use names::Names;
use program::{
    Address, Callee, Diagnostic, Function, Object, ObjectId, ObjectKind, Observable,
    ObservedLocation, Operand, Program, Properties, ROUTINES, Routine, Span, Terminator, Thread,
    Width,
};
use promote::Promotion;
use rustc_hash::FxHashMap;
pub use spans::ReadSource;
use spans::{Site, Spans};
use std::collections::VecDeque;
use std::rc::Rc;
use types::Types;

/// What is made of a module so far.
struct Lowering<'m> {
    module: &'m Module,
    types: Types<'m>,
    spans: Spans<'m>,
    layouts: Layouts<'m>,
    objects: Vec<Object>,
    object_names: Names,
    function_names: Names,
    /// Functions; those not made yet are none.
    functions: Vec<Option<Function>>,
    /// The object of each global, once it is used.
    globals: Vec<Option<ObjectId>>,
    /// The object of each function whose address is used.
    code: Vec<Option<ObjectId>>,
    /// The function made of each function, once it is used, for what is lent to it.
    made: FxHashMap<(FunctionId, Lent), program::FunctionId>,
    /// What is promoted in functions that are lent variables; none while that is found out.
    promotions: FxHashMap<(FunctionId, Lent), Option<Rc<Promotion>>>,
    /// How many functions it is being found out of.
    lending_depth: u32,
    /// Used, and not made yet.
    pending: VecDeque<Work>,
    observed: Vec<Observable>,
    allocations: Vec<(Span, program::TypeId)>,
    block_addresses: FxHashMap<(FunctionId, BlockId), u64>,
    block_labels: FxHashMap<FunctionId, FxHashMap<String, BlockId>>,
    dividers: FxHashMap<division::Divider, program::FunctionId>,
    /// What runs before and after `main`.
    hooks: Hooks,
    /// The library by the names of its functions.
    routines: FxHashMap<&'static str, Routine>,
}

/// Something that is used and must be made.
enum Work {
    Function(FunctionId, Lent, program::FunctionId),
    Global(GlobalId, ObjectId),
}

/// What of a module is made a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry<'a> {
    /// `main`, which the program's thread runs.
    Main,
    /// The same with a function of another name, so that one module can hold many programs.
    Function(&'a str),
    /// The operations of a data type, and its initialisation. The program has no threads;
    /// [`client`](crate::client) makes programs of it that have. `main` is ignored.
    Operations,
    /// Those operations whose names start so, without initialisation.
    OperationsOf(&'a str),
}

/// Lowers a module. `read` gives the text of source files.
pub fn lower(
    module: &Module,
    read: &ReadSource<'_>,
    entry: Entry<'_>,
) -> Result<Program, Diagnostic> {
    let entries = entries(module, entry);
    let first = entries.first().copied();
    let debug = first.and_then(|first| module.functions[first.index()].debug);
    let mut lowering = Lowering {
        module,
        types: Types::new(module),
        spans: Spans::new(module, read, debug),
        layouts: Layouts::new(module),
        objects: Vec::new(),
        object_names: Names::default(),
        function_names: Names::default(),
        functions: Vec::new(),
        globals: vec![None; module.globals.len()],
        code: vec![None; module.functions.len()],
        made: FxHashMap::default(),
        promotions: FxHashMap::default(),
        lending_depth: 0,
        pending: VecDeque::new(),
        observed: Vec::new(),
        allocations: Vec::new(),
        block_addresses: FxHashMap::default(),
        block_labels: FxHashMap::default(),
        dividers: FxHashMap::default(),
        hooks: Hooks::default(),
        routines: ROUTINES
            .iter()
            .flat_map(|row| row.names.iter().map(|name| (*name, row.routine)))
            .collect(),
    };
    lowering.check_target()?;
    let Some(first) = first else {
        return Err(lowering.without_entry(entry));
    };
    let runs_main = matches!(entry, Entry::Main | Entry::Function(_));
    match Hooks::of(module).filter(|hooks| runs_main || hooks.before.is_empty()) {
        Some(hooks) => lowering.hooks = hooks,
        None => {
            let site = lowering.function_site(first);
            return Err(lowering.refuse(site, "functions that run before main (constructors) here"));
        }
    }
    let mut threads = Vec::new();
    match entry {
        Entry::Main | Entry::Function(_) => threads.push(Thread {
            name: "main".to_owned(),
            function: lowering.start(first)?,
            initial: Vec::new(),
        }),
        Entry::Operations | Entry::OperationsOf(_) => {
            for function in entries {
                lowering.function(function);
            }
        }
    }
    while let Some(work) = lowering.pending.pop_front() {
        match work {
            Work::Function(function, lent, id) => {
                let made = functions::lower(&mut lowering, function, lent)?;
                lowering.functions[id.index()] = Some(made);
            }
            Work::Global(global, object) => lowering.initialise(global, object)?,
        }
    }
    lowering.into_program(threads, debug)
}

/// Functions of a module that nothing has to call.
fn entries(module: &Module, entry: Entry<'_>) -> Vec<FunctionId> {
    let functions = module.functions.iter().enumerate();
    let defined = functions.filter(|(_, function)| !function.is_declaration());
    let wanted = defined.filter(|(_, function)| {
        let name = &*module.symbol(function.symbol).name;
        match entry {
            Entry::Main => name == "main",
            Entry::Function(wanted) => name == wanted,
            Entry::Operations => name == INITIALISATION || name.starts_with(OPERATION),
            Entry::OperationsOf(start) => {
                let operation = name.strip_prefix(OPERATION);
                operation.is_some_and(|operation| operation.starts_with(start))
            }
        }
    });
    let mut found: Vec<_> = wanted.map(|(index, _)| FunctionId(index as u32)).collect();
    let is_operation = |id: &FunctionId| {
        let symbol = module.functions[id.index()].symbol;
        &*module.symbol(symbol).name != INITIALISATION
    };
    if entry == Entry::Operations && !found.iter().any(is_operation) {
        found.clear();
    }
    found
}

impl<'m> Lowering<'m> {
    fn top(&self) -> Site {
        Site {
            debug: None,
            source: crate::llvm::SourceId(0),
            line: 1,
        }
    }

    fn check_target(&mut self) -> Result<(), Diagnostic> {
        let layout = &self.module.data_layout;
        let mut specifications = layout.split('-');
        let wrong = specifications.any(|part| part == "E" || part.starts_with("p:32"));
        if !wrong {
            return Ok(());
        }
        Err(self.spans.complain(
            self.top(),
            format!("code for `{}` is not supported", self.module.triple),
            "neither big-endian machines nor 32-bit ones are".to_owned(),
            Some("compile for x86-64".to_owned()),
        ))
    }

    fn without_entry(&mut self, entry: Entry<'_>) -> Diagnostic {
        let (message, help) = match entry {
            Entry::Main | Entry::Function(_) => (
                "the program has no function `main`",
                match entries(self.module, Entry::Operations).is_empty() {
                    true => "a program starts in `main`; give all its files",
                    false => {
                        "it has operations of a data type: ask `fencepost refine`, or `fencepost fences --goal atomic`"
                    }
                },
            ),
            Entry::Operations | Entry::OperationsOf(_) => (
                "the program has no operations",
                "include <fencepost.h> and declare them: FP_OPERATION(name) { … }",
            ),
        };
        let site = self.top();
        self.spans.complain(
            site,
            message.to_owned(),
            String::new(),
            Some(help.to_owned()),
        )
    }

    /// The function that the thread runs: `main`, or one that calls it with arguments, and what runs before and after it.
    fn start(&mut self, main: FunctionId) -> Result<program::FunctionId, Diagnostic> {
        let function = &self.module.functions[main.index()];
        let has_parameters = !function.parameters.is_empty() || function.variadic;
        if !has_parameters && self.hooks.is_empty() {
            return Ok(self.function(main));
        }
        let id = program::FunctionId::from(self.functions.len());
        self.functions.push(None);
        let called = self.function(main);
        let mut body = Body::default();
        body.block("entry");
        let site = self.function_site(main);
        let mut values = match has_parameters {
            true => self.main_arguments(),
            false => Vec::new(),
        };
        let mut leaves = 0;
        for parameter in &function.parameters {
            let parts = self.types.leaves(parameter.value_type);
            leaves += parts.map_err(|what| self.refuse(site, &what))?.len();
        }
        leaves += usize::from(function.variadic);
        values.resize(leaves, Operand::Constant(0));
        let results = self.types.leaves(function.result);
        let results = results.map_err(|what| self.refuse(site, &what))?;
        let targets: Vec<_> = results
            .iter()
            .map(|leaf| body.named_register("status", leaf.width))
            .collect();
        let returned = targets.iter().copied().map(Operand::Register).collect();
        let call = |targets, callee, arguments| program::InstructionKind::Call {
            targets,
            callee,
            arguments,
        };
        let (before, after) = (self.hooks.before.clone(), self.hooks.after.clone());
        for callee in self.hook_calls(&before)? {
            body.push(call(Vec::new(), callee, Vec::new()));
        }
        body.push(call(targets, Callee::Function(called), values));
        for callee in self.hook_calls(&after)? {
            body.push(call(Vec::new(), callee, Vec::new()));
        }
        body.finish(Terminator::Return(returned));
        let name = self.function_names.unique("start");
        self.functions[id.index()] = Some(body.into_function(name, 0));
        Ok(id)
    }

    /// A name for the program, and no further arguments.
    fn main_arguments(&mut self) -> Vec<Operand> {
        let name = self.bytes_object("\"program\"", b"program\0");
        let name = Address::of(name).to_word().to_le_bytes();
        let arguments = self.bytes_object("argv", &[name, [0; 8]].concat());
        vec![
            Operand::Constant(1),
            Operand::Address(Address::of(arguments)),
            Operand::Constant(0),
        ]
    }

    fn bytes_object(&mut self, name: &str, bytes: &[u8]) -> ObjectId {
        let name = self.object_names.unique(name);
        self.objects.push(Object {
            name,
            cell: Width::W8,
            initial: bytes.iter().copied().map(u64::from).collect(),
            zeros: 0,
            kind: ObjectKind::Constant,
            layout: None,
            signed: false,
            span: Span::NOWHERE,
        });
        ObjectId::from(self.objects.len() - 1)
    }

    /// The function of the program for a function of the module.
    fn function(&mut self, function: FunctionId) -> program::FunctionId {
        self.variant(function, Lent::default())
    }

    /// The function of the program for a function of the module that variables are lent to.
    fn variant(&mut self, function: FunctionId, lent: Lent) -> program::FunctionId {
        if let Some(made) = self.made.get(&(function, lent)) {
            return *made;
        }
        let id = program::FunctionId::from(self.functions.len());
        self.functions.push(None);
        self.made.insert((function, lent), id);
        self.pending.push_back(Work::Function(function, lent, id));
        id
    }

    /// The name of a function of the module.
    fn function_name(&self, function: FunctionId) -> &'m str {
        let symbol = self.module.functions[function.index()].symbol;
        &self.module.symbol(symbol).name
    }

    fn function_site(&self, function: FunctionId) -> Site {
        let function = &self.module.functions[function.index()];
        Site {
            debug: None,
            source: function.source,
            line: function.line,
        }
    }

    /// The function behind a constant that is called, through casts and aliases.
    fn called(&self, constant: &'m Constant) -> Option<FunctionId> {
        let mut at = constant;
        for _ in 0..64 {
            match at {
                Constant::Symbol(symbol) | Constant::FunctionAddress(symbol) => {
                    match self.module.symbol(*symbol).target {
                        SymbolTarget::Function(function) => return Some(function),
                        SymbolTarget::Alias(alias) => {
                            let alias = &self.module.aliases[alias.index()];
                            if alias.indirect {
                                return None;
                            }
                            at = &alias.target;
                        }
                        SymbolTarget::Global(_) => return None,
                    }
                }
                Constant::Expression(kind) => match &**kind {
                    InstructionKind::Cast { operand, .. } => match &operand.value {
                        crate::llvm::Value::Constant(constant) => at = constant,
                        _ => return None,
                    },
                    _ => return None,
                },
                _ => return None,
            }
        }
        None
    }

    /// The complaint that something is not supported.
    fn refuse(&mut self, site: Site, what: &str) -> Diagnostic {
        let message = format!("{what} is not supported");
        self.spans.complain(site, message, String::new(), None)
    }

    fn symbol_name(&self, symbol: SymbolId) -> &'m str {
        &self.module.symbol(symbol).name
    }

    /// Makes an observable of this name, if there is none.
    fn observe(&mut self, name: &str) {
        if self.observed.iter().all(|known| known.name != name) {
            self.observed.push(Observable {
                name: name.to_owned(),
                location: ObservedLocation::Observation,
                width: Width::W64,
                signed: true,
            });
        }
    }

    fn into_program(
        self,
        threads: Vec<Thread>,
        first: Option<MetadataId>,
    ) -> Result<Program, Diagnostic> {
        let name = match first.map(|first| self.module.node(first)) {
            Some(Metadata::Subprogram { file, .. }) => self.module.file(*file).0,
            _ => self
                .module
                .source_filenames
                .first()
                .cloned()
                .unwrap_or_default(),
        };
        let name = name.rsplit('/').next().unwrap_or("");
        let name = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let made = self.made.iter();
        let variants = made.filter(|((_, lent), _)| !lent.is_empty());
        let variants: Vec<_> = variants.map(|(_, id)| *id).collect();
        let types = self.layouts.into_types();
        let (source, included) = self.spans.into_sources();
        let mut program = Program {
            name: name.to_owned(),
            process: true,
            source,
            included,
            types,
            allocations: self.allocations,
            objects: self.objects,
            functions: self.functions.into_iter().flatten().collect(),
            threads,
            observed: self.observed,
            properties: Properties::default(),
        };
        // A counter that nobody reads would tell apart what is the same.
        program.forget_unneeded_arguments(&variants);
        program.remove_dead_writes(|_| false);
        match program.validate() {
            Ok(()) => Ok(program),
            Err(error) => Err(Diagnostic {
                source: program.source.clone(),
                message: format!("internal: {error}"),
                span: Span {
                    file: 0,
                    ..error.span
                },
                label: String::new(),
                others: Vec::new(),
                help: Some("this is a mistake of fencepost; please report it".to_owned()),
            }),
        }
    }
}
