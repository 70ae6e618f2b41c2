use frontend::c::Compiler;
use frontend::client;
use memory::Model;
use std::path::PathBuf;
use std::time::Instant;
fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let files = [PathBuf::from(&arguments[1])];
    let compiler = Compiler::find(None).unwrap();
    let program = frontend::c::read_operations(&files, &[], Some(&compiler)).unwrap();
    let operations = client::operations(&program);
    let tests = match std::fs::read_to_string(&arguments[2]) {
        Ok(text) => client::read_tests(&text, &operations).unwrap(),
        Err(_) => vec![client::read_test(&arguments[2], &operations).unwrap()],
    };
    for test in tests {
        let serial = client::serial_client(&program, &test).unwrap().unwrap().program;
        let start = Instant::now();
        let result = states::run(&serial, Model::Sc, &states::Options::default()).unwrap();
        println!("{test}: {} outcomes, {:?} in {:.3}, {:?} {:?}", result.outcomes.len(), result.counts.states, start.elapsed().as_secs_f64(), result.bounds, result.verdict);
    }
}
