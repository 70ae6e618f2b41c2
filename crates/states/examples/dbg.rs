//! debug
use oracle::generate::*;
use states::*;
fn main(){
    let n: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    let g = sequence(1).nth(n).unwrap();
    println!("{g:?}");
    let p = build(&g);
    for m in [MachineKind::Auto, MachineKind::ReorderBoxes] { for sym in [true,false] { for every in [false, true] {
        let o = Options{machine:m, symmetry: sym, every_step: every, ..Options::default()};
        let r = run(&p, memory::Model::Pso, &o).unwrap();
        println!("{m:?} sym {sym} every {every}: {} outcomes {} states", r.outcomes.len(), r.counts.states);
    }}}
}
