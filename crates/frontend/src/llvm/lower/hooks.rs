//! What runs before and after `main`: constructors, destructors, and what `atexit` registers.
//!
//! Clang lists constructors and destructors with their priorities in two arrays. Constructors run in the main thread, lower
//! priorities first, before `main`; when `main` returns or `exit` is called, handlers run, and then destructors in the opposite order.
//! `_exit` and `abort` run nothing, `quick_exit` the handlers of `at_quick_exit`. `pthread_exit` runs the thread's cleanup handlers. The prelude keeps
//! handlers.

use super::Lowering;
use super::functions::{Coder, Lowered};
use crate::llvm::{
    Callee as LlvmCallee, Constant, FunctionId, InstructionKind, Module, SymbolTarget, Value,
};
use program::Callee;

/// What runs before and after `main`, each in its order.
#[derive(Default)]
pub(super) struct Hooks {
    pub before: Vec<FunctionId>,
    /// When `main` returns or `exit` is called.
    pub after: Vec<FunctionId>,
    /// When `quick_exit` is called.
    pub after_quick: Vec<FunctionId>,
    /// When a thread calls `pthread_exit`.
    pub after_thread: Vec<FunctionId>,
}

impl Hooks {
    /// Those of a module; none if the arrays are not as clang makes them.
    pub fn of(module: &Module) -> Option<Hooks> {
        let mut before = listed(module, "llvm.global_ctors")?;
        before.sort_by_key(|(priority, _)| *priority);
        let mut destructors = listed(module, "llvm.global_dtors")?;
        destructors.reverse();
        destructors.sort_by_key(|(priority, _)| std::cmp::Reverse(*priority));
        let handlers = |register: &str, run: &str| {
            let run = module.function(run).filter(|_| calls(module, register));
            run.into_iter()
        };
        let functions = |hooks: Vec<(u64, FunctionId)>| hooks.into_iter().map(|(_, id)| id);
        let handled = handlers("atexit", "__fencepost_exit");
        Some(Hooks {
            before: functions(before).collect(),
            after: handled.chain(functions(destructors)).collect(),
            after_quick: handlers("at_quick_exit", "__fencepost_quick_exit").collect(),
            after_thread: handlers("__fencepost_cleanup_push", "__fencepost_thread_exit").collect(),
        })
    }

    /// Whether there is anything to run besides `main`.
    pub fn is_empty(&self) -> bool {
        self.before.is_empty() && self.after.is_empty()
    }
}

/// The functions of an array of hooks, with their priorities.
fn listed(module: &Module, name: &str) -> Option<Vec<(u64, FunctionId)>> {
    let symbol = module.symbols.iter().find(|symbol| &*symbol.name == name);
    let Some(SymbolTarget::Global(global)) = symbol.map(|symbol| symbol.target) else {
        return Some(Vec::new());
    };
    let Some(Constant::Aggregate(rows)) = &module.globals[global.index()].initial else {
        return None;
    };
    let hook = |row: &crate::llvm::Operand| {
        let Value::Constant(Constant::Aggregate(fields)) = &row.value else {
            return None;
        };
        let [priority, function, ..] = &fields[..] else {
            return None;
        };
        match (&priority.value, &function.value) {
            (
                Value::Constant(Constant::Integer(priority)),
                Value::Constant(Constant::Symbol(symbol)),
            ) => match module.symbol(*symbol).target {
                SymbolTarget::Function(function) => Some((*priority, function)),
                _ => None,
            },
            _ => None,
        }
    };
    rows.iter().map(hook).collect()
}

/// Whether some function of the module calls a function of this name.
fn calls(module: &Module, name: &str) -> bool {
    let blocks = module
        .functions
        .iter()
        .flat_map(|function| &function.blocks);
    let mut instructions = blocks.flat_map(|block| &block.instructions);
    instructions.any(|instruction| match &instruction.kind {
        InstructionKind::Call(call) => match &call.callee {
            LlvmCallee::Value(Value::Constant(Constant::Symbol(symbol))) => {
                &*module.symbol(*symbol).name == name
            }
            _ => false,
        },
        _ => false,
    })
}

impl Lowering<'_> {
    /// The functions of the program for hooks, each without parameters and results.
    pub fn hook_calls(&mut self, hooks: &[FunctionId]) -> Lowered<Vec<Callee>> {
        let mut calls = Vec::new();
        for hook in hooks {
            let function = &self.module.functions[hook.index()];
            // Clang passes nothing, whatever the function takes.
            if !function.parameters.is_empty() || function.variadic {
                let site = self.function_site(*hook);
                let what = "a constructor or destructor with parameters";
                return Err(self.refuse(site, what));
            }
            let results = self.types.leaves(function.result);
            let results = results.map_or(0, |leaves| leaves.len());
            if results != 0 {
                let site = self.function_site(*hook);
                return Err(self.refuse(site, "a constructor or destructor with a result"));
            }
            calls.push(Callee::Function(self.function(*hook)));
        }
        Ok(calls)
    }
}

impl Coder<'_, '_> {
    /// Calls what runs when a function is called that ends the program or the thread.
    pub fn call_hooks(&mut self, name: &str) -> Lowered<()> {
        let hooks = match name {
            "exit" => self.lowering.hooks.after.clone(),
            "quick_exit" => self.lowering.hooks.after_quick.clone(),
            "pthread_exit" | "thrd_exit" => self.lowering.hooks.after_thread.clone(),
            _ => return Ok(()),
        };
        for callee in self.lowering.hook_calls(&hooks)? {
            self.emit_call(callee, Vec::new(), &[]);
        }
        Ok(())
    }
}
