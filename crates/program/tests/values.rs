//! Words, addresses, operations and orderings.

use program::{
    AccessKind, Address, Binary, Expression, ObjectId, Operand, Orderings, UpdateOp, Width,
};

#[test]
fn widths() {
    assert_eq!(Width::of_bits(0), None);
    assert_eq!(Width::of_bits(65), None);
    assert_eq!(Width::of_bits(64), Some(Width::W64));
    assert_eq!(Width::BIT.bytes(), 1);
    assert_eq!(Width::W64.truncate(u64::MAX), u64::MAX);
    assert_eq!(Width::W8.truncate(0x1ff), 0xff);
    assert_eq!(Width::W8.signed(0x80), -128);
    assert_eq!(Width::BIT.signed(1), -1);
    assert_eq!(Width::W64.signed(u64::MAX), -1);
}

#[test]
fn arithmetic_wraps_at_its_width() {
    assert_eq!(Binary::Add.apply(Width::W8, 0xff, 1), 0);
    assert_eq!(Binary::Sub.apply(Width::W32, 0, 1), 0xffff_ffff);
    assert_eq!(Binary::Sub.apply(Width::W64, 0, 1), u64::MAX);
    assert_eq!(Binary::Mul.apply(Width::W16, 0x8000, 2), 0);
}

#[test]
fn shifts_by_the_width_or_more() {
    assert_eq!(Binary::Shl.apply(Width::W32, 1, 31), 0x8000_0000);
    assert_eq!(Binary::Shl.apply(Width::W32, 1, 32), 0);
    assert_eq!(Binary::Shl.apply(Width::W64, 1, u64::MAX), 0);
    assert_eq!(Binary::Shr.apply(Width::W64, u64::MAX, 63), 1);
    assert_eq!(Binary::Shr.apply(Width::W64, u64::MAX, 64), 0);
    assert_eq!(Binary::Sar.apply(Width::W8, 0x80, 1), 0xc0);
    assert_eq!(Binary::Sar.apply(Width::W8, 0x80, 200), 0xff);
    assert_eq!(Binary::Sar.apply(Width::W8, 0x7f, 200), 0);
}

#[test]
fn comparisons_know_signs() {
    assert_eq!(Binary::Ult.apply(Width::W8, 0xff, 0), 0);
    assert_eq!(Binary::Slt.apply(Width::W8, 0xff, 0), 1);
    assert_eq!(Binary::Sle.apply(Width::W32, 0x8000_0000, 0x7fff_ffff), 1);
    assert_eq!(Binary::Ule.apply(Width::W32, 0x8000_0000, 0x7fff_ffff), 0);
    assert_eq!(Binary::Eq.apply(Width::BIT, 1, 1), 1);
    assert_eq!(Binary::Ne.apply(Width::BIT, 1, 1), 0);
    let comparisons = Binary::ALL
        .iter()
        .filter(|operation| operation.is_comparison());
    assert_eq!(comparisons.count(), 6);
}

#[test]
fn expressions_cut_operands_and_results() {
    let any = Operand::Constant(0);
    let add = Expression::Binary(Binary::Add, Width::W8, any, any);
    assert_eq!(add.evaluate(&[0x1ff, 1], Width::W64), 0);
    let extend = Expression::SignExtend(Width::W8, any);
    assert_eq!(extend.evaluate(&[0x180], Width::W16), 0xff80);
    let select = Expression::Select(any, any, any);
    assert_eq!(select.evaluate(&[2, 10, 20], Width::W64), 10);
    assert_eq!(select.evaluate(&[0, 10, 20], Width::W64), 20);
}

#[test]
fn updates() {
    assert_eq!(UpdateOp::Exchange.apply(Width::W8, 7, 0x101), 1);
    assert_eq!(UpdateOp::Sub.apply(Width::W8, 0, 1), 0xff);
}

#[test]
fn operations_are_found_by_name() {
    for operation in Binary::ALL {
        assert_eq!(Binary::named(operation.name()), Some(*operation));
    }
    assert_eq!(Binary::named("div"), None);
}

#[test]
fn addresses_pack_into_words() {
    let address = Address {
        object: ObjectId(3),
        offset: 8,
    };
    assert_eq!(address.to_word(), 0x4000_3008);
    assert_eq!(Address::from_word(0x4000_3008), Some(address));
    assert_eq!(Address::from_word(0), None);
    assert_eq!(Address::from_word(0x3fff_ffff), None);
    let last = Address {
        object: ObjectId(Address::MAX_OBJECTS as u32 - 1),
        offset: Address::MAX_OBJECT_SIZE - 1,
    };
    assert_eq!(Address::from_word(last.to_word()), Some(last));
    assert_eq!(Address::from_word(last.to_word() + 1), None);
    assert_eq!(Width::W32.truncate(last.to_word()), last.to_word());
}

#[test]
fn orderings_are_sets() {
    let both = Orderings::LOAD_LOAD.union(Orderings::STORE_STORE);
    assert_eq!(both.to_string(), "#LoadLoad #StoreStore");
    assert_eq!(Orderings::NONE.to_string(), "#None");
    assert!(Orderings::ALL.contains(both) && !both.contains(Orderings::ALL));
    assert_eq!(both.minus(Orderings::LOAD_LOAD), Orderings::STORE_STORE);
    assert!(both.minus(both).is_empty());
    assert_eq!(Orderings::named("storeload"), Some(Orderings::STORE_LOAD));
    assert_eq!(Orderings::named("Sync"), None);
    let all = Orderings::NAMED
        .iter()
        .fold(Orderings::NONE, |set, (one, _)| set.union(*one));
    assert_eq!(all, Orderings::ALL);
}

#[test]
fn orderings_order_accesses() {
    use AccessKind as Kind;
    let store_load = Orderings::STORE_LOAD;
    assert!(store_load.orders(Kind::STORE, Kind::LOAD));
    assert!(!store_load.orders(Kind::LOAD, Kind::STORE));
    assert!(!store_load.orders(Kind::STORE, Kind::STORE));
    assert!(store_load.orders(Kind::UPDATE, Kind::UPDATE));
    assert!(store_load.orders_after(Kind::STORE) && !store_load.orders_after(Kind::LOAD));
    assert!(!Orderings::NONE.orders(Kind::UPDATE, Kind::UPDATE));
}
