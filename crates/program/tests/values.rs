//! Words, addresses, operations and orderings.

use program::{
    AccessKind, Address, Binary, Conversion, Expression, ObjectId, Operand, Orderings, ROUTINES,
    Routine, Unary, UpdateOp, Width,
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
    assert_eq!(comparisons.count(), 13);
}

#[test]
fn division_fails_where_it_has_no_result() {
    let least = 1 << 31;
    let minus = |number: u64| Width::W32.truncate(number.wrapping_neg());
    assert_eq!(Binary::Sdiv.apply(Width::W32, minus(7), 2), minus(3));
    assert_eq!(Binary::Srem.apply(Width::W32, minus(7), 2), minus(1));
    assert_eq!(Binary::Udiv.apply(Width::W32, minus(7), 2), 0x7fff_fffc);
    for operation in [Binary::Sdiv, Binary::Srem, Binary::Udiv, Binary::Urem] {
        assert!(operation.divides() && operation.fails(Width::W32, 1, 0));
        assert_eq!(operation.apply(Width::W32, 1, 0), 0);
    }
    for operation in [Binary::Sdiv, Binary::Srem] {
        assert!(operation.fails(Width::W32, least, minus(1)));
        assert!(!operation.fails(Width::W64, least, minus(1)));
    }
    assert!(!Binary::Udiv.fails(Width::W32, least, minus(1)));
}

#[test]
fn overflow_is_signed() {
    let (most, least) = (i64::MAX as u64, i64::MIN as u64);
    assert_eq!(Binary::AddOverflow.apply(Width::W64, most, 1), 1);
    assert_eq!(Binary::AddOverflow.apply(Width::W64, u64::MAX, 1), 0);
    assert_eq!(Binary::SubOverflow.apply(Width::W64, least, 1), 1);
    assert_eq!(Binary::MulOverflow.apply(Width::W64, least, u64::MAX), 1);
    assert_eq!(Binary::MulOverflow.apply(Width::W8, 16, 8), 1);
    assert_eq!(Binary::MulOverflow.apply(Width::W8, 16, 7), 0);
    assert_eq!(Binary::MulHigh.apply(Width::W64, u64::MAX, 2), 1);
}

#[test]
fn bits_are_counted_in_their_width() {
    assert_eq!(Unary::CountOnes.apply(Width::W16, 0x8001), 2);
    assert_eq!(Unary::LeadingZeros.apply(Width::W16, 1), 15);
    assert_eq!(Unary::LeadingZeros.apply(Width::W16, 0), 16);
    assert_eq!(Unary::TrailingZeros.apply(Width::W16, 0), 16);
    assert_eq!(Unary::SwapBytes.apply(Width::W32, 0x1122_3344), 0x4433_2211);
    assert_eq!(
        Unary::ReverseBits.apply(Width::W8, 0b0000_0110),
        0b0110_0000
    );
}

#[test]
fn floating_point_numbers_are_bits() {
    let (half, three) = (0.5f64.to_bits(), 3.0f64.to_bits());
    let sum = Binary::Fadd.apply(Width::W64, half, three);
    assert_eq!(f64::from_bits(sum), 3.5);
    assert_eq!(Binary::Flt.apply(Width::W64, half, three), 1);
    let nan = f64::NAN.to_bits();
    assert_eq!(Binary::Funordered.apply(Width::W64, nan, three), 1);
    let convert = |conversion, from, to, word| {
        Expression::Convert(conversion, from, Operand::Constant(0)).evaluate(&[word], to)
    };
    let minus_two = (-2.75f64).to_bits();
    let number = convert(Conversion::FloatToSigned, Width::W64, Width::W32, minus_two);
    assert_eq!(number, 0xffff_fffe);
    let float = convert(Conversion::SignedToFloat, Width::W32, Width::W64, number);
    assert_eq!(f64::from_bits(float), -2.0);
    let narrow = convert(Conversion::FloatToFloat, Width::W64, Width::W32, half);
    assert_eq!(f32::from_bits(narrow as u32), 0.5);
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
    assert_eq!(UpdateOp::Nand.apply(Width::W8, 3, 6), 0xfd);
    assert_eq!(UpdateOp::Max.apply(Width::W8, 0xff, 1), 1);
    assert_eq!(UpdateOp::Umax.apply(Width::W8, 0xff, 1), 0xff);
    assert_eq!(UpdateOp::IncrementWrap.apply(Width::W8, 4, 4), 0);
    assert_eq!(UpdateOp::DecrementWrap.apply(Width::W8, 0, 4), 4);
    assert_eq!(UpdateOp::SubIf.apply(Width::W8, 3, 4), 3);
    assert_eq!(UpdateOp::SubSaturating.apply(Width::W8, 3, 4), 0);
}

#[test]
fn operations_are_found_by_name() {
    for operation in Binary::ALL {
        assert_eq!(Binary::named(operation.name()), Some(*operation));
    }
    assert_eq!(Binary::named("div"), None);
    for row in ROUTINES {
        assert_eq!(Routine::named(row.routine.name()), Some(row.routine));
        assert_eq!(row.routine.row(), row);
    }
}

#[test]
fn addresses_pack_into_words() {
    let address = Address {
        object: ObjectId(3),
        offset: 8,
    };
    assert_eq!(address.to_word(), 0x4030_0008);
    assert_eq!(Address::from_word(0x4030_0008), Some(address));
    assert_eq!(Address::from_word(0), None);
    assert_eq!(Address::from_word(0x3fff_ffff), None);
    let last = Address {
        object: ObjectId(Address::MAX_OBJECTS as u32 - 1),
        offset: (1 << Address::OFFSET_BITS) - 1,
    };
    assert_eq!(Address::from_word(last.to_word()), Some(last));
    assert_eq!(Address::from_word(last.to_word() + 1), None);
    let small = Address {
        object: ObjectId(Address::MAX_SMALL_OBJECTS as u32 - 1),
        offset: Address::MAX_OBJECT_SIZE - 1,
    };
    assert_eq!(Width::W32.truncate(small.to_word()), small.to_word());
    let larger = Address::of(ObjectId(Address::MAX_SMALL_OBJECTS as u32));
    assert_ne!(Width::W32.truncate(larger.to_word()), larger.to_word());
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
