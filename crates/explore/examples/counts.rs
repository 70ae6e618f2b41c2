//! Scratch.
use std::path::PathBuf;
fn main() {
    let compiler = frontend::c::Compiler::find(None).map_err(|e| format!("{e:?}")).unwrap();
    let args: Vec<String> = std::env::args().skip(1).collect();
    for file in &args[1..] {
        let program = frontend::c::read_c(&[PathBuf::from(file)], &[], Some(&compiler)).map_err(|e| format!("{e:?}")).unwrap();
        print!("{}", PathBuf::from(file).file_stem().unwrap().to_string_lossy());
        for model in args[0].split(',') {
            let model: memory::Model = model.parse().map_err(|_| ()).unwrap();
            let start = std::time::Instant::now();
            let mut o = explore::Options::default(); o.all = true; o.search.jobs = std::env::var("JOBS").ok().and_then(|j| j.parse().ok()).unwrap_or(1);
            o.preemptions = std::env::var("PRE").ok().and_then(|j| j.parse().ok());
            if std::env::var_os("EST").is_some() { println!("{:?}", explore::estimate(&program, model, &o)); }
            let r = explore::run(&program, model, &o).unwrap(); let c = r.counts; if std::env::var_os("NS").is_some() { print!("ns{} {}:{:?}", c.not_sequential, r.verdict, r.violation.is_some()); }
            let t = start.elapsed().as_secs_f64();
            print!("\t{}", c.executions);
            if c.blocked+c.redundant>0 { print!("(b{} r{})", c.blocked, c.redundant); }
            if t > 0.005 { print!("[{:.0}/s {:.1}ev]", c.executions as f64 / t, c.events as f64/c.executions as f64); }
        }
        println!();
    }
}
