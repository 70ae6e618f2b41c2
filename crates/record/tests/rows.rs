//! What is recorded, row by row.

use record::{Recorded, Recorder};

/// The rows of a log, without the places in the source.
fn rows(recorder: Recorder<Vec<u8>>) -> Vec<String> {
    let log = recorder.finish().expect("nothing went wrong");
    let text = String::from_utf8(log).expect("UTF-8");
    let row = |line: &str| line.rsplit_once(',').expect("four columns").0.to_owned();
    text.lines().skip(1).map(row).collect()
}

#[test]
fn every_access_is_a_row() {
    let recorder = Recorder::to(Vec::new());
    let x = Recorded::new(&recorder, 250u8);
    let y = Recorded::named(&recorder, "a, \"b\"", false);
    assert_eq!(x.fetch_add(10), 250);
    assert_eq!(x.load(), 4);
    assert_eq!(x.swap(5), 4);
    assert_eq!(x.compare_exchange(5, 6), Ok(5));
    assert_eq!(x.compare_exchange(5, 7), Err(6));
    y.store(true);
    assert!(y.load());
    recorder.fence();
    recorder.store_store_fence();
    recorder.store_load_fence();
    let expected = [
        "1,interlocked,0",
        "1,load,0",
        "1,interlocked,0",
        "1,interlocked,0",
        "1,failed-cas,0",
        "1,store,\"a, \"\"b\"\"\"",
        "1,load,\"a, \"\"b\"\"\"",
        "1,fence,",
        "1,store-store-fence,",
        "1,store-load-fence,",
    ];
    assert_eq!(rows(recorder), expected);
}

#[test]
fn rows_tell_where_they_come_from() {
    let recorder = Recorder::to(Vec::new());
    let x = Recorded::new(&recorder, 0u64);
    let line = line!() + 1;
    x.store(1);
    let log = recorder.finish().expect("nothing went wrong");
    let text = String::from_utf8(log).expect("UTF-8");
    let expected = format!("rows.rs:{line}\"\n");
    assert!(text.ends_with(&expected), "{text}");
}

#[test]
fn threads_that_are_started_and_joined_are_known_by_their_numbers() {
    let recorder = Recorder::to(Vec::new());
    let x = Recorded::new(&recorder, 0);
    recorder.scope(|scope| {
        x.store(1);
        let thread = scope.spawn(|| x.load());
        assert_eq!(thread.join().expect("it ends"), 1);
    });
    let expected = ["1,store,0", "1,start,2", "2,load,0", "1,join,2"];
    assert_eq!(rows(recorder), expected);
}

#[test]
fn an_error_of_writing_is_kept_for_the_end() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("full"))
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let recorder = Recorder::to(Full);
    Recorded::new(&recorder, 0).store(1);
    let error = recorder.finish().err().expect("an error");
    assert_eq!(error.to_string(), "full");
}
