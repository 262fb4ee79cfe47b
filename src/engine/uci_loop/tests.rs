use super::*;
use crate::search::TableTooLarge;

/// Runs the loop over these lines with a search thread that answers each request with these events.
/// Returns the output and the result.
fn run_with(
    input: &'static str,
    answer: impl Fn(&EngineRequest) -> Option<EngineEvent> + Send + 'static,
) -> (String, Result<(), UciLoopError>) {
    let (requests, request_receiver) = bounded(1);
    let (event_sender, events) = unbounded();
    spawn("search", move || {
        for event in request_receiver.iter().map_while(|request| answer(&request)) {
            let _ = event_sender.send(event);
        }
    })
    .unwrap();
    let mut uci = UciLoop::new(Vec::new(), requests, events, None).unwrap();
    let (lines, received) = unbounded();
    for line in input.lines() {
        let _ = lines.send(Ok(InputLine::Text(line.to_owned())));
    }
    drop(lines);
    let result = uci.run(received);
    (String::from_utf8_lossy(&uci.output).into_owned(), result)
}

#[test]
fn a_search_thread_that_ended_gives_an_error_and_no_move() {
    for input in ["go depth 1", "ucinewgame"] {
        let (output, result) = run_with(input, |_| None);
        assert!(matches!(result, Err(UciLoopError::SearchThread)));
        assert_eq!(output, "info string error: the search thread failed\n");
    }
}

#[test]
fn commands_wait_until_an_option_is_set() {
    let answer = |request: &EngineRequest| match request {
        EngineRequest::Think(_) => {
            Some(EngineEvent::Done { best: None, ponder: None, counters: None })
        }
        _ => Some(EngineEvent::Changed(Err(TableTooLarge { mebibytes: 0 }.into()))),
    };
    let input = "setoption name Threads value 2\nisready\nucinewgame\ngo depth 1\nstop";
    let (output, result) = run_with(input, answer);
    assert!(result.is_ok());
    let lines: Vec<_> = output.lines().map(|line| line.split(':').next()).collect();
    let error = Some("info string error");
    assert_eq!(lines[..3], [error, Some("readyok"), error]);
    assert_eq!(lines[3], Some("bestmove 0000"));
}

#[test]
fn quit_does_not_wait_for_ever_for_an_option() {
    for input in ["ucinewgame\nisready\nquit\nisready", "ucinewgame"] {
        let blocked = StopToken::new();
        let release = blocked.clone();
        let (output, result) = run_with(input, move |_| {
            blocked.wait();
            None
        });
        release.stop();
        assert!(result.is_ok() && output.is_empty(), "{output}");
    }
}
