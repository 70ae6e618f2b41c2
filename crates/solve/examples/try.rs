use frontend::c::Compiler;
use frontend::client;
use memory::Model;
use solve::sat::OrderBy;
use solve::Options;
use std::path::PathBuf;
use std::time::Instant;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let files = [PathBuf::from(&arguments[1])];
    let model: Model = arguments[2].parse().unwrap();
    let options: Vec<String> = arguments[4..].iter().map(|x| x.to_string()).collect();
    let compiler = Compiler::find(None).unwrap();
    let program = frontend::c::read_operations(&files, &options, Some(&compiler)).unwrap();
    let operations = client::operations(&program);
    let tests = match std::fs::read_to_string(&arguments[3]) {
        Ok(text) => client::read_tests(&text, &operations).unwrap(),
        Err(_) => vec![client::read_test(&arguments[3], &operations).unwrap()],
    };
    for test in tests {
        let start = Instant::now();
        let order = if std::env::var("CLAUSES").is_ok() { OrderBy::Clauses } else if std::env::var("CONFLICTS").is_ok() { OrderBy::Conflicts } else { OrderBy::Theory };
        let options = Options { order, ..Options::default() };
        let serial = client::client(&program, &test, true).unwrap().program;
        let one = client::serial_client(&program, &test).unwrap();
        let one_program = one.as_ref().map(|one| &one.program);
        let swaps = one.as_ref().map_or(Vec::new(), |one| one.swaps.clone());
        let serial_ = solve::Serial { program: &serial, in_one_thread: one_program, swaps: &swaps };
        let mined = match if std::env::var("SOLVE").is_ok() { solve::mine_by_solving(&serial, &options) } else { solve::mine(serial_, &options) } {
            Ok(mined) => mined,
            Err(error) => { println!("{error} at {:?}", error.span); continue; }
        };
        if let Some(violation) = mined.result.violation {
            println!("{test}: serial goes wrong {violation:?}");
            print!("{}", report::execution_text(&serial, &mined.result.started, mined.result.execution.as_ref().unwrap()));
            continue;
        }
        let time = start.elapsed();
        let concurrent = client::client(&program, &test, false).unwrap().program;
        let included = solve::include(&concurrent, model, &mined.specification, &swaps, &options).unwrap();
        println!("{} {test}: {:?} {:?} spec {} mining {:.3} (solve {:.3} rounds {}) total {:.3} | {:?}", test.name, included.result.verdict, included.result.bounds, mined.specification.observations.len(), time.as_secs_f64(), mined.effort.solving.as_secs_f64(), mined.effort.rounds, start.elapsed().as_secs_f64(), included.effort);
        if std::env::var("SHOW").is_ok() && let Some(violation) = &included.result.violation {
            println!("{violation:?}");
            print!("{}", report::execution_text(&concurrent, &included.result.started, included.result.execution.as_ref().unwrap()));
        }
    }
}
