use program::*;
#[test]
fn all() {
    for dir in std::env::var("DIRS").unwrap().split(':') {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "litmus") { continue; }
        let text = std::fs::read_to_string(&path).unwrap();
        match frontend::read(&Source::new(path.to_str().unwrap(), text)) {
            Ok(p) => if std::env::var("SHOW").is_ok_and(|s| path.to_str().unwrap().contains(&s)) { println!("{:#?}", p.objects); for f in &p.functions { println!("{} {:?}", f.name, f.registers.iter().map(|r| &r.name).collect::<Vec<_>>()); for b in &f.blocks { println!(" {}:", b.label); for i in &b.instructions { println!("   {:?}   <{}>", i.kind, p.source.excerpt(i.span)); } println!("   {:?} <{}>", b.terminator, p.source.excerpt(b.terminator_span)); } } println!("{:?}\n{:#?}", p.observed.iter().map(|o| &o.name).collect::<Vec<_>>(), p.properties); },
            Err(d) => println!("FAIL {d} help {:?}", d.help),
        }
    } }
}
