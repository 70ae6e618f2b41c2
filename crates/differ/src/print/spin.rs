//! Spin locks of every make.

use super::order::{builtin, c11};
use crate::sketch::{Order, SpinKind};

pub(super) fn take_spin(kind: SpinKind, lock: u8, take: Order) -> String {
    let (order, c) = (builtin(take), c11(take));
    let exchange = format!("__atomic_exchange_n(&$lock{lock}, 1, {order})");
    let compare = |weak: u8| {
        format!(
            "__atomic_compare_exchange_n(&$lock{lock}, &e, 1, {weak}, {order}, __ATOMIC_RELAXED)"
        )
    };
    match kind {
        SpinKind::Exchange => format!("while ({exchange}) ;"),
        SpinKind::CompareExchange { weak } => {
            format!(
                "for (;;) {{ int e = 0; if ({}) break; }}",
                compare(weak.into())
            )
        }
        SpinKind::TestAndTestAndSet => format!(
            "for (;;) {{ while (__atomic_load_n(&$lock{lock}, __ATOMIC_RELAXED)) ; if (!{exchange}) break; }}"
        ),
        SpinKind::Ticket => format!(
            "{{ int e = __atomic_fetch_add(&$next{lock}, 1, {order}); while (__atomic_load_n(&$serve{lock}, __ATOMIC_ACQUIRE) != e) ; }}"
        ),
        SpinKind::Flag => format!("while (atomic_flag_test_and_set_explicit(&$flag{lock}, {c})) ;"),
        SpinKind::Backoff => format!(
            "for (;;) {{ int e = 0; if ({}) break; for (int w = 0; w < 1; w++) sched_yield(); }}",
            compare(0)
        ),
        SpinKind::Mcs => format!(
            "{{ struct $node n = {{0, 1}}, *o = __atomic_exchange_n(&$tail{lock}, &n, {order}); \
             if (o) {{ __atomic_store_n(&o->next, &n, __ATOMIC_RELEASE); while (__atomic_load_n(&n.flag, __ATOMIC_ACQUIRE)) ; }}"
        ),
        SpinKind::Clh => format!(
            "{{ struct $node *n = malloc(sizeof *n), *o; __atomic_store_n(&n->flag, 1, __ATOMIC_RELAXED); \
             o = __atomic_exchange_n(&$tail{lock}, n, {order}); \
             if (o) {{ while (__atomic_load_n(&o->flag, __ATOMIC_ACQUIRE)) ; free(o); }}"
        ),
        SpinKind::Array => format!(
            "{{ int e = __atomic_fetch_add(&$next{lock}, 1, {order}) & 3; \
             while (!__atomic_load_n(&$turns{lock}[e], __ATOMIC_ACQUIRE)) ; \
             __atomic_store_n(&$turns{lock}[e], 0, __ATOMIC_RELAXED);"
        ),
    }
}

pub(super) fn give_spin(kind: SpinKind, lock: u8, give: Order) -> String {
    match kind {
        SpinKind::Ticket => format!("__atomic_fetch_add(&$serve{lock}, 1, {});", builtin(give)),
        SpinKind::Flag => format!("atomic_flag_clear_explicit(&$flag{lock}, {});", c11(give)),
        SpinKind::Mcs => {
            let order = builtin(give);
            format!(
                "struct $node *s = __atomic_load_n(&n.next, __ATOMIC_ACQUIRE), *e = &n; \
                 if (s || !__atomic_compare_exchange_n(&$tail{lock}, &e, (struct $node *)0, 0, {order}, __ATOMIC_RELAXED)) {{ \
                 while (!(s = __atomic_load_n(&n.next, __ATOMIC_ACQUIRE))) ; __atomic_store_n(&s->flag, 0, {order}); }} }}"
            )
        }
        SpinKind::Clh => format!("__atomic_store_n(&n->flag, 0, {}); }}", builtin(give)),
        SpinKind::Array => format!(
            "__atomic_store_n(&$turns{lock}[e + 1 & 3], 1, {}); }}",
            builtin(give)
        ),
        _ => format!("__atomic_store_n(&$lock{lock}, 0, {});", builtin(give)),
    }
}
