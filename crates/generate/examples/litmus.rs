//! Judges generated litmus tests: `litmus FIRST COUNT`, or `litmus show SEED`.

fn main() -> std::process::ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |index: usize| -> u64 {
        let text = arguments.get(index).map_or("", String::as_str);
        text.parse().unwrap_or(0)
    };
    if arguments.first().is_some_and(|word| word == "show") {
        print!("{}", generate::litmus(number(1)).text());
        return std::process::ExitCode::SUCCESS;
    }
    let mut wrong = 0;
    for seed in number(0)..number(0) + number(1) {
        if let Err(disagreement) = generate::check_one(seed) {
            println!("seed {seed}: {disagreement}");
            wrong += 1;
        }
        if seed % 100 == 99 {
            eprintln!("up to seed {seed}: {wrong} disagreements");
        }
    }
    println!("{} tests, {wrong} disagreements", number(1));
    std::process::ExitCode::from(u8::from(wrong > 0))
}
