//! What the client knows of its server: the address, and the time for a move.

use std::time::Duration;

use kalah_kgp::{ServerAddress, ThinkingTime};

#[test]
fn addresses_are_read() {
    for (text, expected) in [
        ("host", "host:2671"),
        ("host:1", "host:1"),
        ("10.0.0.1:99", "10.0.0.1:99"),
        ("::1", "[::1]:2671"),
        ("[::1]", "[::1]:2671"),
        ("[::1]:5", "[::1]:5"),
        ("ws://host", "ws://host/socket"),
        ("WS://host:80/", "ws://host:80/"),
        ("wss://host:80/a?b=c", "wss://host:80/a?b=c"),
    ] {
        let address = text.parse::<ServerAddress>().map(|address| address.to_string());
        assert_eq!(address.as_deref(), Ok(expected));
    }
}

#[test]
fn other_texts_are_refused() {
    for text in [
        "",
        ":",
        "host:",
        ":2671",
        "host:0",
        "host:65536",
        "host:x",
        "[::1",
        "[::1]x",
        "[]:1",
        "http://host",
        "ws://",
        "wss:///socket",
        "a b",
        "host\n",
        "tcp://host",
    ] {
        let error = text.parse::<ServerAddress>().map_err(|error| error.to_string());
        let expected = format!("'{text}' is not HOST[:PORT], ws://… or wss://…");
        assert_eq!(error, Err(expected));
    }
}

fn ms(time: u64) -> Duration {
    Duration::from_millis(time)
}

#[test]
fn the_limit_of_the_server_is_learned() {
    let mut time = ThinkingTime::new(ms(4500), ms(100));
    assert_eq!(time.budget(), ms(4500));
    assert!(time.stopped(ms(2003), true));
    assert_eq!(time.budget(), ms(1903));
    // A stop that comes later changes nothing.
    assert!(!time.stopped(ms(2003), true));
    assert_eq!(time.budget(), ms(1903));
}

#[test]
fn a_game_that_was_given_up_is_no_limit() {
    let mut time = ThinkingTime::new(ms(4500), ms(100));
    assert!(!time.stopped(ms(3), false));
    time.answered();
    assert!(!time.stopped(ms(3), false));
    assert_eq!(time.budget(), ms(4500));
    assert!(time.stopped(ms(1000), false));
    assert_eq!(time.budget(), ms(900));
}

#[test]
fn a_limit_is_eased_after_many_answers() {
    let mut time = ThinkingTime::new(ms(1000), ms(100));
    time.stopped(ms(600), true);
    for _ in 0..20 {
        assert_eq!(time.budget(), ms(500));
        time.answered();
    }
    assert_eq!(time.budget(), ms(560));
    for _ in 0..100 * 20 {
        time.answered();
    }
    assert_eq!(time.budget(), ms(1000));
}

#[test]
fn the_reserve_is_at_most_half() {
    let mut time = ThinkingTime::new(ms(1000), ms(100));
    time.saw_round_trip(ms(300));
    time.announce(Some(ms(20)));
    assert_eq!(time.budget(), ms(10));
    time.announce(Some(Duration::ZERO));
    assert_eq!(time.budget(), ms(1));
    time.announce(None);
    time.stopped(ms(900), true);
    assert_eq!(time.budget(), ms(600));
}
