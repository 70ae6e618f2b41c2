//! How large a search is likely to be.

use crate::measures::{count, grouped, rough_time};
use answer::Estimate;

/// From here on only the size of a number is printed.
const HUGE: f64 = 1e15;

/// A line: the guess under a model, and the seconds that the search may take.
pub fn estimate_text(model: &str, estimate: &Estimate, seconds: f64) -> String {
    let executions = match rounded(estimate.executions, 3).as_str() {
        "1" => "one execution".to_owned(),
        number => format!("{number} executions"),
    };
    let (low, high) = (rounded(estimate.low, 2), rounded(estimate.high, 2));
    let events = estimate.events.round();
    let walks = count(estimate.walks.into(), "random walk");
    let time = rough_time(seconds);
    format!(
        "{model}: about {executions} ({low} to {high}), {events} events each, from {walks}; \
         at their speed {time}\n"
    )
}

/// To this many significant digits.
fn rounded(number: f64, digits: i32) -> String {
    if number < 1.0 {
        return "0".to_owned();
    }
    if number.is_infinite() {
        return "∞".to_owned();
    }
    let exponent = number.log10().floor();
    if number >= HUGE {
        let leading = number / 10f64.powf(exponent);
        return format!("{leading:.1} × 10^{exponent}");
    }
    let unit = 10f64.powi((exponent as i32 + 1 - digits).max(0));
    grouped(((number / unit).round() * unit) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(executions: f64, low: f64, high: f64) -> Estimate {
        let (walks, events) = (1000, 34.6);
        Estimate {
            executions,
            low,
            high,
            walks,
            explored: 1,
            events,
        }
    }

    #[test]
    fn guesses_do_not_look_exact() {
        assert_eq!(
            estimate_text("tso", &estimate(226_123.4, 151_000.0, 338_000.0), 75.2),
            "tso: about 226,000 executions (150,000 to 340,000), 35 events each, from 1000 random \
             walks; at their speed about 75 seconds\n"
        );
        assert_eq!(
            estimate_text("sc", &estimate(1.0, 1.0, 1.0), 0.1),
            "sc: about one execution (1 to 1), 35 events each, from 1000 random walks; at their \
             speed less than a second\n"
        );
    }

    #[test]
    fn numbers_are_rounded() {
        let three = |number| rounded(number, 3);
        assert_eq!(three(0.2), "0");
        assert_eq!(three(6.4), "6");
        assert_eq!(three(999.9), "1,000");
        assert_eq!(three(1234.0), "1,230");
        assert_eq!(three(99_999.0), "100,000");
        assert_eq!(three(2.34e17), "2.3 × 10^17");
        assert_eq!(three(f64::INFINITY), "∞");
    }

    #[test]
    fn times_are_rough() {
        assert_eq!(rough_time(0.3), "less than a second");
        assert_eq!(rough_time(1.2), "about 1 second");
        assert_eq!(rough_time(95.0), "about 95 seconds");
        assert_eq!(rough_time(100.0), "about 2 minutes");
        assert_eq!(rough_time(7200.0), "about 2 hours");
        assert_eq!(rough_time(4e5), "about 5 days");
        assert_eq!(rough_time(1e9), "about 32 years");
        assert_eq!(rough_time(1e30), "millions of years");
    }
}
