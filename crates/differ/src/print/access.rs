//! Accesses to cells, and fences, in the spelling of a program.

use super::order::{builtin, c11, short};
use super::{Printer, Target};
use crate::sketch::{CELLS, CellType, Fence, Location, Operator, Order, Spelling, Storage, Value};

impl Printer<'_> {
    pub(super) fn spelling(&self) -> Spelling {
        self.sketch.form.spelling
    }

    /// The lvalue of a location and its type.
    pub(super) fn lvalue(&self, at: Location) -> (String, &'static str) {
        let cell = |cell: u8| match self.sketch.form.storage {
            Storage::Static => format!("$c{}", cell % CELLS),
            _ => format!("(*$c{})", cell % CELLS),
        };
        let (suffix, of) = match (self.sketch.cell, at.part) {
            (CellType::Union, 0) => (".w", "int"),
            (CellType::Union, 1) => (".h[0]", "short"),
            (CellType::Union, 2) => (".h[1]", "short"),
            (CellType::Union, 3) => (".b[0]", "char"),
            (CellType::Union, 4) => (".b[1]", "char"),
            (CellType::Union, 5) => (".b[2]", "char"),
            (CellType::Union, _) => (".b[3]", "char"),
            _ => ("", self.cell_type()),
        };
        let text = match at.index {
            None => format!("{}{suffix}", cell(at.cell)),
            Some(register) => format!(
                "(*(r{register} & 1 ? &{}{suffix} : &{}{suffix}))",
                cell(at.cell + 1),
                cell(at.cell)
            ),
        };
        (text, of)
    }

    pub(super) fn load_text(
        &self,
        place: &str,
        of: &str,
        order: Order,
        spelling: Spelling,
    ) -> String {
        match (spelling, order) {
            (Spelling::Function, _) => format!("$ld_{of}_{}(&{place})", short(order)),
            (Spelling::Pointer, _) => format!("$ldp_{of}_{}(&{place})", short(order)),
            (_, Order::Plain) if self.target == Target::Processor => {
                format!("*(volatile {of} *)&{place}")
            }
            (_, Order::Plain) => place.to_owned(),
            (Spelling::C11, _) => {
                format!(
                    "atomic_load_explicit((_Atomic({of}) *)&{place}, {})",
                    c11(order)
                )
            }
            _ => format!("__atomic_load_n(&{place}, {})", builtin(order)),
        }
    }

    pub(super) fn store_text(
        &self,
        place: &str,
        of: &str,
        value: &str,
        order: Order,
        spelling: Spelling,
    ) -> String {
        match (spelling, order) {
            (Spelling::Function, _) => format!("$st_{of}_{}(&{place}, {value})", short(order)),
            (Spelling::Pointer, _) => format!("$stp_{of}_{}(&{place}, {value})", short(order)),
            (_, Order::Plain) if self.target == Target::Processor => {
                format!("*(volatile {of} *)&{place} = {value}")
            }
            (_, Order::Plain) => format!("{place} = {value}"),
            (Spelling::C11, _) => format!(
                "atomic_store_explicit((_Atomic({of}) *)&{place}, {value}, {})",
                c11(order)
            ),
            _ => format!("__atomic_store_n(&{place}, {value}, {})", builtin(order)),
        }
    }

    pub(super) fn load(&self, at: Location, order: Order) -> String {
        let (place, of) = self.lvalue(at);
        self.load_text(&place, of, order, self.spelling())
    }

    pub(super) fn store(&self, at: Location, value: &str, order: Order) -> String {
        let (place, of) = self.lvalue(at);
        self.store_text(&place, of, value, order, self.spelling())
    }

    pub(super) fn update(
        &self,
        operator: Operator,
        at: Location,
        value: &str,
        order: Order,
    ) -> String {
        let (place, of) = self.lvalue(at);
        match self.spelling() {
            Spelling::C11 if operator != Operator::Nand => format!(
                "atomic_{}_explicit((_Atomic({of}) *)&{place}, {value}, {})",
                operator.name(),
                c11(order)
            ),
            _ => {
                let end = if operator == Operator::Exchange {
                    "_n"
                } else {
                    ""
                };
                format!(
                    "__atomic_{}{end}(&{place}, {value}, {})",
                    operator.name(),
                    builtin(order)
                )
            }
        }
    }

    pub(super) fn exchange(
        &self,
        at: Location,
        desired: &str,
        weak: bool,
        orders: [Order; 2],
    ) -> String {
        let (place, of) = self.lvalue(at);
        compare_exchange(self.spelling(), &place, of, desired, weak, orders)
    }

    pub(super) fn value(value: Value) -> String {
        match value.register {
            None => value.constant.to_string(),
            Some(register) => format!("r{register} + {}", value.constant),
        }
    }

    pub(super) fn fence(&self, fence: Fence) -> String {
        match fence {
            Fence::Thread(order) if self.spelling() == Spelling::C11 => {
                format!("atomic_thread_fence({});", c11(order))
            }
            Fence::Thread(order) => format!("__atomic_thread_fence({});", builtin(order)),
            Fence::Signal => "atomic_signal_fence(memory_order_seq_cst);".to_owned(),
            Fence::Kinds(kinds) => format!("fp_fence({});", kinds.max(1)),
            Fence::Sync => "__sync_synchronize();".to_owned(),
            Fence::Assembly(which) => {
                let name = ["mfence", "sfence", "lfence"][usize::from(which % 3)];
                format!("__asm__ __volatile__(\"{name}\" : : : \"memory\");")
            }
        }
    }
}

pub(super) fn compare_exchange(
    spelling: Spelling,
    place: &str,
    of: &str,
    desired: &str,
    weak: bool,
    [success, failure]: [Order; 2],
) -> String {
    match spelling {
        Spelling::C11 => format!(
            "atomic_compare_exchange_{}_explicit((_Atomic({of}) *)&{place}, &e, {desired}, {}, {})",
            if weak { "weak" } else { "strong" },
            c11(success),
            c11(failure)
        ),
        _ => format!(
            "__atomic_compare_exchange_n(&{place}, &e, {desired}, {}, {}, {})",
            u8::from(weak),
            builtin(success),
            builtin(failure)
        ),
    }
}
